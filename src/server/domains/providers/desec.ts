import { Type, type Static } from "typebox";
import { recordTypes, type DesecConfig, type RecordType } from "../../../shared/api/domains.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { toRecordName, toSubdomain } from "../dns-name.ts";
import { parseText, toText } from "../record-data.ts";
import { afterEdits, givenTtl, type HeldRecord, type RecordChange } from "../record-plan.ts";
import {
  answerReader,
  baseUrlObjections,
  endpoint,
  failure,
  isSuccess,
  nameObjections,
  unreadable,
} from "./http-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof DesecConfig>;

const BASE_URL = "https://desec.io/api/v1";

const readSets = answerReader(
  Type.Array(
    Type.Object({
      subname: Type.String(),
      type: Type.String(),
      ttl: Type.Number(),
      records: Type.Array(Type.String()),
    }),
  ),
);
const readDomain = answerReader(Type.Object({ name: Type.String(), minimum_ttl: Type.Number() }));
const readDetail = answerReader(Type.Object({ detail: Type.String() }));

export const desec: DnsProvider<Config> = {
  name: "desec",
  types: recordTypes,
  objections: ({ domain, base_url: url }) => [
    ...nameObjections("domain", domain),
    ...baseUrlObjections(url),
  ],
  open: (config, context) => new DesecZone(config, context),
};

class DesecZone implements Zone {
  readonly apex: string;
  readonly writesTogether = true;
  readonly #config: Config;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    this.#config = config;
    this.apex = toRecordName(config.domain) ?? config.domain;
    this.#context = context;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const subname = this.#subname(name);
    const query = new URLSearchParams({ subname, type });
    const answer = await this.#send(stage, "GET", `/rrsets/?${query}`);
    const sets = readSets(answer);
    if (!sets) throw unreadable(answer, this.#context);
    return sets
      .filter((each) => each.type === type && each.subname === subname)
      .flatMap(({ ttl, records }) =>
        records.map((text) => ({ data: parseText(type, text), ttl, line: "", handle: text })),
      );
  }

  /** One request for all, which happens as a whole, and counts as one where writes are limited. */
  async write(changes: readonly RecordChange[]): Promise<void> {
    const isNew = changes.some((each) => each.held.length === 0 && givenTtl(each) === undefined);
    const shortest = isNew ? (await this.#domainFacts()).minimum_ttl : 0;
    const sets = changes.map((change) => ({
      subname: this.#subname(change.name),
      type: change.type,
      ttl: givenTtl(change) ?? change.held[0]?.ttl ?? shortest,
      records: afterEdits(change, ({ handle }) => handle as string, toText),
    }));
    await this.#send("write", "PATCH", "/rrsets/", sets);
  }

  async test(): Promise<TestFinding> {
    const { minimum_ttl: shortest } = await this.#domainFacts();
    return {
      ok: true,
      message: `The token may read ${this.apex}, whose shortest TTL is ${shortest} s; whether it may write shows with the first change`,
      details: { minimum_ttl: shortest },
    };
  }

  async #domainFacts() {
    const answer = await this.#send("read", "GET", "/");
    const domain = readDomain(answer);
    if (!domain) throw unreadable(answer, this.#context);
    return domain;
  }

  #subname(name: string): string {
    const subdomain = toSubdomain(name, this.apex);
    return subdomain === "@" ? "" : subdomain;
  }

  async #send(stage: Stage, method: string, path: string, body?: object): Promise<IncomingAnswer> {
    const { token, base_url: base = BASE_URL } = this.#config;
    const answer = await this.#context.exchange.send({
      stage,
      method,
      url: endpoint(base, `/domains/${this.apex}${path}`),
      headers: {
        authorization: `Token ${token}`,
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (isSuccess(answer)) return answer;
    const words = readDetail(answer)?.detail ?? answer.body.toString("utf8", 0, 300);
    const concernsAccount = [401, 403, 404, 429].includes(answer.status);
    throw failure(answer, this.#context, { code: undefined, words, concernsAccount });
  }
}
