import { Type, type Static } from "typebox";
import { recordTypes, type PowerdnsConfig, type RecordType } from "../../../shared/api/domains.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { toRecordName } from "../dns-name.ts";
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

type Config = Static<typeof PowerdnsConfig>;

/** The API asks for one; short, because these records follow an address that moves. */
const DEFAULT_TTL_SECONDS = 300;

const Content = Type.Object({ content: Type.String(), disabled: Type.Optional(Type.Boolean()) });
type Content = Static<typeof Content>;

const readZone = answerReader(
  Type.Object({
    name: Type.String(),
    serial: Type.Optional(Type.Number()),
    kind: Type.Optional(Type.String()),
    rrsets: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        ttl: Type.Number(),
        records: Type.Array(Content),
      }),
    ),
  }),
);
const readError = answerReader(Type.Object({ error: Type.String() }));

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
  readonly #config: Config;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    this.#config = config;
    this.apex = toRecordName(config.zone) ?? config.zone;
    this.#context = context;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const query = new URLSearchParams({ rrset_name: `${name}.`, rrset_type: type });
    const { rrsets } = await this.#readZone(stage, `?${query}`);
    // Before version 4.8 some filters are not known.
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

  /** One request for all: the server applies it as one transaction. */
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
    await this.#send("write", "PATCH", "", { rrsets });
  }

  async test(): Promise<TestFinding> {
    const { serial = null, kind = null } = await this.#readZone("read", "?rrsets=false");
    return {
      ok: true,
      message: `The key may change ${this.apex}, a zone of this server`,
      details: { serial, kind },
    };
  }

  async #readZone(stage: Stage, query: string) {
    const answer = await this.#send(stage, "GET", query);
    const zone = readZone(answer);
    if (!zone) throw unreadable(answer, this.#context);
    return zone;
  }

  async #send(stage: Stage, method: string, query: string, body?: object): Promise<IncomingAnswer> {
    const { base_url: base, api_key: key, server_id: server = "localhost" } = this.#config;
    const path = `/api/v1/servers/${encodeURIComponent(server)}/zones/${this.apex}.${query}`;
    const answer = await this.#context.exchange.send({
      stage,
      method,
      url: endpoint(base, path),
      headers: {
        "x-api-key": key,
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (isSuccess(answer)) return answer;
    const words = readError(answer)?.error ?? answer.body.toString("utf8", 0, 200);
    const concernsAccount = [401, 403, 404].includes(answer.status);
    throw failure(answer, this.#context, { code: undefined, words, concernsAccount });
  }
}
