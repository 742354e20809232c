import type { Static } from "typebox";
import type { Dyndns2Config } from "../../../shared/api/domains.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import { isSuccess, statusError } from "../../lib/http-status.ts";
import { DomainError } from "../domain-error.ts";
import { parseText, toText } from "../record-data.ts";
import type { RecordChange } from "../record-plan.ts";
import { lookAtService } from "./lookout.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof Dyndns2Config>;

/** The protocol asks for one that names the client. */
const USER_AGENT = "Waypost/1.0 (self-hosted)";
/** What the protocol asks to wait after a failure of the service. */
const PAUSE_MS = 30 * 60_000;

/** Words after which the service must be left alone until somebody has put something right. */
const refusals: Readonly<Record<string, string>> = {
  badauth: "it does not know this user name and password",
  "!donator": "the account may not do this",
  notfqdn: "it takes no such name",
  nohost: "the account has no host with this name",
  numhost: "too many hosts at once",
  abuse: "it has blocked the host for too many updates",
  badagent: "it refuses this client",
};
/** Words for failures of the service's own. */
const pauses: readonly string[] = ["dnserr", "911"];
/** Words that are about one host only. */
const ofHost: readonly string[] = ["notfqdn", "nohost", "numhost"];

export const dyndns2: DnsProvider<Config> = {
  name: "dyndns2",
  types: ["A", "AAAA"],
  objections: ({ username, base_url: url }) => [
    ...baseUrlObjections(url),
    ...(username.includes(":") ? [{ path: "username", message: "must not contain a colon" }] : []),
  ],
  open: (config, context) => new Dyndns2Zone(config, context),
};

/** What it holds cannot be read. */
class Dyndns2Zone implements Zone {
  readonly apex = undefined;
  readonly writesTogether = false;
  readonly #config: Config;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    this.#config = config;
    this.#context = context;
  }

  async write(changes: readonly RecordChange[]): Promise<void> {
    for (const { name, edits } of changes) {
      for (const edit of edits) {
        if (edit.kind !== "remove") await this.#update(name, toText(edit.data));
      }
    }
  }

  async #update(name: string, address: string): Promise<void> {
    const { base_url: base, username, password } = this.#config;
    const place = base.replace(/\/+$/, "");
    const url = place.endsWith("/update") ? place : `${place}/nic/update`;
    const query = new URLSearchParams({ hostname: name, myip: address });
    const credentials = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
    const answer = await this.#context.exchange.send({
      stage: "write",
      method: "GET",
      url: `${url}?${query.toString()}`,
      headers: { authorization: `Basic ${credentials}`, "user-agent": USER_AGENT },
    });
    judge(answer, address, this.#context);
  }

  test(): Promise<TestFinding> {
    return lookAtService(this.#context, this.#config.base_url, "the user name and password");
  }
}

/** The word counts, whatever the status is. @throws ProviderError */
function judge(answer: IncomingAnswer, address: string, { exchange, now }: ProviderContext): void {
  const { status, body } = answer;
  const [word = "", shown] = body.toString("utf8").trim().split(/\s+/);
  if (isSuccess(status) && (word === "good" || word === "nochg")) {
    if (shown === undefined || holds(shown, address)) return;
    const stored = exchange.redact(shown).slice(0, 60);
    const sentence = `The service has stored ${stored} instead of ${address}`;
    throw new DomainError("permanent", "another_address", sentence, { httpStatus: status });
  }
  if (pauses.includes(word)) {
    const sentence = `The service answered ${word}: it has a failure of its own`;
    const details = { httpStatus: status, retryAfterMs: PAUSE_MS, concernsAccount: true };
    throw new DomainError("transient", word, sentence, details);
  }
  const refusal = Object.hasOwn(refusals, word) ? refusals[word] : undefined;
  if (refusal === undefined) {
    const said = exchange.redact(word).slice(0, 60) || "nothing";
    throw statusError(answer, "The service", said, now());
  }
  const details = { httpStatus: status, concernsAccount: !ofHost.includes(word) };
  throw new DomainError("permanent", word, `The service answered ${word}: ${refusal}`, details);
}

/** Some services answer with an address of each family. */
function holds(shown: string, address: string): boolean {
  const type = address.includes(":") ? "AAAA" : "A";
  return shown.split(",").some((each) => toText(parseText(type, each)) === address);
}
