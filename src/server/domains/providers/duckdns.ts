import type { Static } from "typebox";
import type { DuckdnsConfig } from "../../../shared/api/domains.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { isSuccess, statusError } from "../../lib/http-status.ts";
import { DomainError } from "../domain-error.ts";
import type { NewData, RecordChange } from "../record-plan.ts";
import { lookAtService } from "./lookout.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof DuckdnsConfig>;

const BASE_URL = "https://www.duckdns.org";
const SUFFIX = ".duckdns.org";

export const duckdns: DnsProvider<Config> = {
  name: "duckdns",
  types: ["A", "AAAA", "TXT"],
  objections: ({ base_url: url }) => baseUrlObjections(url),
  open: (config, context) => new DuckdnsZone(config, context),
};

/** What it holds cannot be read. */
class DuckdnsZone implements Zone {
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
        if (edit.kind !== "remove") await this.#update(name, edit.data);
      }
    }
  }

  async #update(name: string, data: NewData): Promise<void> {
    const { exchange, now } = this.#context;
    const { token, base_url: base = BASE_URL } = this.#config;
    const query = new URLSearchParams({ domains: toDomain(name), token, ...valueOf(data) });
    const answer = await exchange.send({
      stage: "write",
      method: "GET",
      url: `${base.replace(/\/+$/, "")}/update?${query.toString()}`,
      headers: {},
    });
    // Also a refusal comes with 200.
    const word = answer.body.toString("utf8").trim();
    if (isSuccess(answer.status) && word === "OK") return;
    if (word !== "KO") {
      throw statusError(answer, "Duck DNS", "neither OK nor KO", now());
    }
    throw new DomainError(
      "permanent",
      "KO",
      "Duck DNS answered KO: the token is wrong, or the name is none of its account",
      { httpStatus: answer.status, concernsAccount: true },
    );
  }

  test(): Promise<TestFinding> {
    return lookAtService(this.#context, this.#config.base_url ?? BASE_URL, "the token");
  }
}

/** @throws DomainError for a name that is none of the service */
function toDomain(name: string): string {
  const domain = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : "";
  if (domain !== "" && !domain.includes(".")) return domain;
  const sentence = `${name} is no name such as home${SUFFIX}: Duck DNS has no others`;
  throw new DomainError("permanent", "outside_zone", sentence);
}

/** An address of either family stands in `ip`: when that is missing, the caller's own is taken. */
function valueOf(data: NewData): Record<string, string> {
  if (data.type === "TXT") return { txt: data.text };
  return { ip: data.type === "A" || data.type === "AAAA" ? data.address : "" };
}
