import type { Static } from "typebox";
import type { DuckdnsConfig } from "../../../shared/api/domains.ts";
import { DomainError } from "../domain-error.ts";
import type { NewData, RecordChange } from "../record-plan.ts";
import { baseUrlObjections, endpoint, failure, isSuccess } from "./http-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof DuckdnsConfig>;

const BASE_URL = "https://www.duckdns.org";
const DOMAIN = ".duckdns.org";

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

  async write([change]: readonly RecordChange[]): Promise<void> {
    for (const edit of change?.edits ?? []) {
      if (change && edit.kind !== "remove") await this.#update(change.name, edit.data);
    }
  }

  async #update(name: string, data: NewData): Promise<void> {
    const { token, base_url: base = BASE_URL } = this.#config;
    const query = new URLSearchParams({
      domains: toDomain(name),
      token,
      ...valueOf(data),
      verbose: "true",
    });
    const answer = await this.#context.exchange.send({
      stage: "write",
      method: "GET",
      url: `${endpoint(base, "/update")}?${query}`,
      headers: {},
    });
    // Also a refusal comes with 200.
    const [word] = answer.body.toString("utf8").trim().split(/\s+/);
    if (isSuccess(answer) && word === "OK") return;
    const isRefusal = word === "KO";
    throw failure(answer, this.#context, {
      code: isRefusal ? "KO" : undefined,
      words: isRefusal ? "the token is wrong, or the name is none of its account" : undefined,
      concernsAccount: isRefusal,
    });
  }

  /** Updates are all that the service offers: whether it is there is all that can be learnt. */
  async test(): Promise<TestFinding> {
    const { status } = await this.#context.exchange.send({
      stage: "read",
      method: "GET",
      url: `${new URL(this.#config.base_url ?? BASE_URL).origin}/`,
      headers: {},
    });
    return {
      ok: status < 500,
      message: `The service answers (${status}); whether it takes the token shows with the first update`,
      details: { http_status: status },
    };
  }
}

/** @throws DomainError for a name that is not below duckdns.org */
function toDomain(name: string): string {
  const domain = name.endsWith(DOMAIN) ? name.slice(0, -DOMAIN.length) : "";
  // Below a name of Duck DNS everything says the same.
  const own = domain.slice(domain.lastIndexOf(".") + 1);
  if (own !== "" && own === domain) return own;
  throw new DomainError(
    "permanent",
    "outside_zone",
    `${name} is no name such as home${DOMAIN}: Duck DNS has no others`,
  );
}

/** An address of either family stands in `ip`: when that is missing, the caller's own is taken. */
function valueOf(data: NewData): Record<string, string> {
  if (data.type === "TXT") return { txt: data.text };
  return { ip: data.type === "A" || data.type === "AAAA" ? data.address : "" };
}
