import { Type, type Static } from "typebox";
import { recordTypes, type PowerdnsConfig, type RecordType } from "../../../shared/api/domains.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { toRecordName } from "../dns-name.ts";
import { parseText, toText } from "../record-data.ts";
import { afterEdits, givenTtl, type HeldRecord, type RecordChange } from "../record-plan.ts";
import { JsonApi } from "./json-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";
import { nameObjections, shapeReader } from "./shape.ts";

type Config = Static<typeof PowerdnsConfig>;

/** The API asks for one; short, because these records follow an address that moves. */
const DEFAULT_TTL_SECONDS = 300;

const Content = Type.Object({ content: Type.String(), disabled: Type.Optional(Type.Boolean()) });
type Content = Static<typeof Content>;

const readZone = shapeReader(
  "PowerDNS",
  Type.Object({
    serial: Type.Number(),
    kind: Type.String(),
    rrsets: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          type: Type.String(),
          ttl: Type.Number(),
          records: Type.Array(Content),
        }),
      ),
    ),
  }),
);

export const powerdns: DnsProvider<Config> = {
  name: "powerdns",
  types: recordTypes,
  objections: ({ zone, base_url: url }) => [
    ...baseUrlObjections(url),
    ...nameObjections("zone", zone),
  ],
  open: (config, context) => new PowerdnsZone(config, context),
};

class PowerdnsZone implements Zone {
  readonly apex: string;
  readonly writesTogether = true;
  readonly #api: JsonApi;
  readonly #path: string;

  constructor(config: Config, { exchange, now }: ProviderContext) {
    const { base_url: baseUrl, api_key: key, server_id: server = "localhost" } = config;
    this.apex = toRecordName(config.zone) ?? config.zone;
    this.#path = `/api/v1/servers/${encodeURIComponent(server)}/zones/${this.apex}.`;
    this.#api = new JsonApi({
      provider: "PowerDNS",
      baseUrl,
      headers: { "x-api-key": key },
      reasons: ["error"],
      exchange,
      now,
    });
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const query = new URLSearchParams({ rrset_name: `${name}.`, rrset_type: type });
    const { rrsets = [] } = await this.#readZone(stage, query);
    // Older versions do not know the filter.
    return rrsets
      .filter((each) => each.type === type && toRecordName(each.name) === name)
      .flatMap(({ ttl, records }) =>
        records.map(({ content, disabled = false }) => ({
          data: parseText(type, content),
          ttl,
          line: "",
          handle: { content, disabled },
        })),
      );
  }

  /** One request for all, which the server applies as one transaction. Comments stay. */
  async write(changes: readonly RecordChange[]): Promise<void> {
    const rrsets = changes.map((change) => ({
      name: `${change.name}.`,
      type: change.type,
      changetype: "REPLACE",
      ttl: givenTtl(change) ?? change.held[0]?.ttl ?? DEFAULT_TTL_SECONDS,
      records: afterEdits<Content>(
        change,
        ({ handle }) => handle as Content,
        (data, from) => ({
          content: toText(data),
          disabled: (from?.handle as Content | undefined)?.disabled ?? false,
        }),
      ),
    }));
    await this.#api.call("write", "PATCH", this.#path, { rrsets });
  }

  async test(): Promise<TestFinding> {
    const query = new URLSearchParams({ rrsets: "false" });
    const { serial, kind } = await this.#readZone("read", query);
    const message = `The server holds the zone ${this.apex}, and the key may change it`;
    return { ok: true, message, details: { serial, kind } };
  }

  async #readZone(stage: Stage, query: URLSearchParams) {
    return readZone(await this.#api.call(stage, "GET", `${this.#path}?${query.toString()}`));
  }
}
