import { Type, type Static } from "typebox";
import { recordTypes, type DesecConfig, type RecordType } from "../../../shared/api/domains.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { toRecordName, toSubdomain } from "../dns-name.ts";
import { parseText, toText } from "../record-data.ts";
import { afterEdits, givenTtl, type HeldRecord, type RecordChange } from "../record-plan.ts";
import { JsonApi } from "./json-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";
import { nameObjections, shapeReader } from "./shape.ts";

type Config = Static<typeof DesecConfig>;

const BASE_URL = "https://desec.io/api/v1";

const readSets = shapeReader(
  "deSEC",
  Type.Array(
    Type.Object({
      subname: Type.String(),
      type: Type.String(),
      ttl: Type.Number(),
      records: Type.Array(Type.String()),
    }),
  ),
);
const readDomain = shapeReader("deSEC", Type.Object({ minimum_ttl: Type.Number() }));

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
  readonly #api: JsonApi;
  readonly #path: string;

  constructor({ token, domain, base_url: baseUrl }: Config, context: ProviderContext) {
    this.apex = toRecordName(domain) ?? domain;
    this.#path = `/domains/${this.apex}`;
    this.#api = new JsonApi({
      provider: "deSEC",
      baseUrl: baseUrl ?? BASE_URL,
      headers: { authorization: `Token ${token}` },
      reasons: ["detail"],
      exchange: context.exchange,
      now: context.now,
    });
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const subname = this.#subname(name);
    const query = new URLSearchParams({ subname, type });
    const sets = readSets(
      await this.#api.call(stage, "GET", `${this.#path}/rrsets/?${query.toString()}`),
    );
    return sets
      .filter((each) => each.type === type && each.subname === subname)
      .flatMap(({ ttl, records }) =>
        records.map((text) => ({ data: parseText(type, text), ttl, line: "", handle: text })),
      );
  }

  /** One request for all, which happens as a whole, and counts as one where writes are limited. */
  async write(changes: readonly RecordChange[]): Promise<void> {
    const isNew = changes.some((each) => each.held.length === 0 && givenTtl(each) === undefined);
    const shortest = isNew ? await this.#shortestTtl() : 0;
    const sets = changes.map((change) => ({
      subname: this.#subname(change.name),
      type: change.type,
      ttl: givenTtl(change) ?? change.held[0]?.ttl ?? shortest,
      records: afterEdits(change, ({ handle }) => handle as string, toText),
    }));
    await this.#api.call("write", "PATCH", `${this.#path}/rrsets/`, sets);
  }

  async test(): Promise<TestFinding> {
    const shortest = await this.#shortestTtl();
    const message = `The token reads ${this.apex}, whose shortest TTL is ${shortest} s. Whether it may write shows with the first write.`;
    return { ok: true, message, details: { minimum_ttl: shortest } };
  }

  async #shortestTtl(): Promise<number> {
    return readDomain(await this.#api.call("read", "GET", `${this.#path}/`)).minimum_ttl;
  }

  #subname(name: string): string {
    const subdomain = toSubdomain(name, this.apex);
    return subdomain === "@" ? "" : subdomain;
  }
}
