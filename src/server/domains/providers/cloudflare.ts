import { Type, type Static } from "typebox";
import {
  recordTypes,
  type CloudflareConfig,
  type RecordType,
} from "../../../shared/api/domains.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { toRecordName } from "../dns-name.ts";
import { parseLooseText, parseText, toText, type RecordData } from "../record-data.ts";
import type { HeldRecord, NewData, RecordChange, RecordEdit } from "../record-plan.ts";
import { formatParameters } from "../service-parameters.ts";
import {
  answerReader,
  baseUrlObjections,
  endpoint,
  failure,
  isSuccess,
  unreadable,
} from "./http-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof CloudflareConfig>;

const BASE_URL = "https://api.cloudflare.com/client/v4";
/** A TTL that Cloudflare chooses. */
const AUTOMATIC_TTL = 1;

/** Only what is read here; whatever else a record holds is left to the API's PATCH. */
const Listed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  content: Type.Optional(Type.String()),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ttl: Type.Number(),
  proxied: Type.Optional(Type.Boolean()),
});
type Listed = Static<typeof Listed>;

const readList = answerReader(
  Type.Object({
    success: Type.Literal(true),
    result: Type.Array(Listed),
    result_info: Type.Optional(Type.Object({ total_count: Type.Optional(Type.Number()) })),
  }),
);
const readSuccess = answerReader(Type.Object({ success: Type.Literal(true) }));
const readErrors = answerReader(
  Type.Object({
    errors: Type.Array(
      Type.Object({ code: Type.Optional(Type.Number()), message: Type.Optional(Type.String()) }),
      { minItems: 1 },
    ),
  }),
);

export const cloudflare: DnsProvider<Config> = {
  name: "cloudflare",
  types: recordTypes,
  objections: ({ zone_id: id, base_url: url }) => [
    ...(/^[0-9a-f]{32}$/i.test(id)
      ? []
      : [{ path: "zone_id", message: "must be the zone's id, 32 hexadecimal digits" }]),
    ...baseUrlObjections(url),
  ],
  open: (config, context) => new CloudflareZone(config, context),
};

class CloudflareZone implements Zone {
  readonly apex = undefined;
  readonly writesTogether = false;
  readonly #config: Config;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    this.#config = config;
    this.#context = context;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const query = new URLSearchParams({ type, "name.exact": name, per_page: "100" });
    const answer = await this.#send(stage, "GET", `?${query}`);
    const list = readList(answer);
    if (!list) throw unreadable(answer, this.#context);
    return list.result
      .filter((each) => each.type === type && toRecordName(each.name) === name)
      .map((each) => ({
        data: dataOf(type, each),
        // What is proxied has the TTL that Cloudflare gives it.
        ttl: each.proxied === true ? null : each.ttl,
        line: "",
        handle: each,
      }));
  }

  async write([change]: readonly RecordChange[]): Promise<void> {
    for (const edit of change?.edits ?? []) {
      if (change) await this.#apply(change, edit);
    }
  }

  async #apply({ name, type }: RecordChange, edit: RecordEdit): Promise<void> {
    if (edit.kind === "add") {
      const ttl = edit.ttl ?? AUTOMATIC_TTL;
      await this.#change("POST", "", { type, name, ...contentOf(edit.data), ttl });
      return;
    }
    const held = edit.from.handle as Listed;
    const path = `/${encodeURIComponent(held.id)}`;
    if (edit.kind === "remove") {
      await this.#change("DELETE", path);
      return;
    }
    const ttl = held.proxied === true ? held.ttl : (edit.ttl ?? held.ttl);
    await this.#change("PATCH", path, { type, name: held.name, ...contentOf(edit.data), ttl });
  }

  async test(): Promise<TestFinding> {
    const answer = await this.#send("read", "GET", "?per_page=1");
    const list = readList(answer);
    if (!list) throw unreadable(answer, this.#context);
    const count = list.result_info?.total_count;
    const words = count === undefined ? "the zone" : `the zone, which has ${count} records`;
    return {
      ok: true,
      message: `The token may read ${words}; whether it may edit them shows with the first change`,
      details: { records: count ?? null },
    };
  }

  async #change(method: string, path: string, body?: object): Promise<void> {
    const answer = await this.#send("write", method, path, body);
    if (!readSuccess(answer)) throw unreadable(answer, this.#context);
  }

  async #send(stage: Stage, method: string, path: string, body?: object): Promise<IncomingAnswer> {
    const { api_token: token, zone_id: zone, base_url: base = BASE_URL } = this.#config;
    const answer = await this.#context.exchange.send({
      stage,
      method,
      url: endpoint(base, `/zones/${zone}/dns_records${path}`),
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const [error] = readErrors(answer)?.errors ?? [];
    if (isSuccess(answer) && !error) return answer;
    const code = error?.code === undefined ? undefined : `cloudflare_${error.code}`;
    throw failure(answer, this.#context, { code, words: error?.message });
  }
}

function dataOf(type: RecordType, { content = "", data }: Listed): RecordData {
  switch (type) {
    case "A":
    case "AAAA":
      return parseText(type, content);
    case "TXT":
      return parseLooseText(content);
    case "SRV": {
      const words = ["priority", "weight", "port", "target"].map((key) => wordOf(data?.[key]));
      return parseText(type, words.join(" "));
    }
    case "HTTPS":
    case "SVCB": {
      const words = ["priority", "target", "value"].map((key) => wordOf(data?.[key]));
      return parseText(type, words.join(" "));
    }
  }
}

function wordOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** For these types `content` is read only. */
function contentOf(data: NewData): object {
  switch (data.type) {
    case "SRV": {
      const { priority, weight, port, target } = data;
      return { data: { priority, weight, port, target: target === "" ? "." : target } };
    }
    case "HTTPS":
    case "SVCB": {
      const { priority, target, parameters } = data;
      const value = formatParameters(parameters);
      return { data: { priority, target: target === "" ? "." : target, value } };
    }
    case "A":
    case "AAAA":
    case "TXT":
      return { content: toText(data) };
  }
}
