import type { Static } from "typebox";
import type { Dyndns2Config } from "../../../shared/api/domains.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import { DomainError } from "../domain-error.ts";
import { toText } from "../record-data.ts";
import type { RecordChange } from "../record-plan.ts";
import { baseUrlObjections, endpoint, failure, isSuccess, isTransientStatus } from "./http-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof Dyndns2Config>;

/** The protocol asks for one that names the client. */
const USER_AGENT = "Waypost/1.0 (self-hosted)";
/** What the protocol asks to wait after a failure of the service. */
const PAUSE_MS = 30 * 60_000;

/** Words after which the service must be left alone until somebody has put something right. */
const sentences: Readonly<Record<string, string>> = {
  badauth: "The service does not know this user name and password",
  "!donator": "The account may not do this",
  notfqdn: "The service takes no such name",
  nohost: "The account has no host with this name",
  numhost: "Too many hosts at once",
  abuse: "The service has blocked the host for too many updates",
  badagent: "The service refuses this client",
};
const ofAccount = ["badauth", "!donator", "abuse", "badagent"];

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

  async write([change]: readonly RecordChange[]): Promise<void> {
    for (const edit of change?.edits ?? []) {
      if (edit.kind === "remove" || !change) continue;
      const address = toText(edit.data);
      const { base_url: base, username, password } = this.#config;
      const path = new URL(base).pathname.endsWith("/update") ? "" : "/nic/update";
      const query = new URLSearchParams({ hostname: change.name, myip: address });
      const credentials = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
      const answer = await this.#context.exchange.send({
        stage: "write",
        method: "GET",
        url: `${endpoint(base, path)}?${query}`,
        headers: { authorization: `Basic ${credentials}`, "user-agent": USER_AGENT },
      });
      this.#judge(answer, address);
    }
  }

  /** Updates are all that the protocol has: whether there is a server is all that can be learnt. */
  async test(): Promise<TestFinding> {
    const { status } = await this.#context.exchange.send({
      stage: "read",
      method: "GET",
      url: `${new URL(this.#config.base_url).origin}/`,
      headers: { "user-agent": USER_AGENT },
    });
    return {
      ok: status < 500,
      message: `A web server answers (${status}); whether it takes the user name and password shows with the first update`,
      details: { http_status: status },
    };
  }

  /** The word counts, whatever the status is. */
  #judge(answer: IncomingAnswer, address: string): void {
    const [word = "", shown] = answer.body.toString("utf8").trim().split(/\s+/);
    const isTaken = isSuccess(answer) && (word === "good" || word === "nochg");
    if (isTaken) {
      if (shown === undefined || isSameAddress(shown, address)) return;
      throw new DomainError(
        "permanent",
        "another_address",
        `The service has stored ${shown.slice(0, 60)} instead of ${address}`,
        { httpStatus: answer.status },
      );
    }
    const isPause = word === "dnserr" || word === "911";
    const known = sentences[word];
    const error = failure(answer, this.#context, {
      code: known !== undefined || isPause ? word : undefined,
      words: known ?? (isPause ? "the service has a failure of its own" : word.slice(0, 60)),
      isTransient: isPause || (known === undefined && isTransientStatus(answer.status)),
      concernsAccount: ofAccount.includes(word) || isPause || answer.status === 401,
    });
    if (!isPause) throw error;
    const { kind, errorClass, message, httpStatus, responseBody, concernsAccount } = error;
    const retryAfterMs = PAUSE_MS;
    const details = { httpStatus, responseBody, concernsAccount, retryAfterMs };
    throw new DomainError(kind, errorClass, message, details);
  }
}

/** Services write addresses as they like, and some several. */
function isSameAddress(shown: string, address: string): boolean {
  return shown
    .split(",")
    .some((each) => URL.parse(hostOf(each))?.host === URL.parse(hostOf(address))?.host);
}

function hostOf(address: string): string {
  return `http://${address.includes(":") ? `[${address}]` : address}/`;
}
