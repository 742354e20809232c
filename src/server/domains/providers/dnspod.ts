import { Type, type Static } from "typebox";
import { recordTypes, type DnspodConfig, type RecordType } from "../../../shared/api/domains.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { ProviderError } from "../../lib/provider-error.ts";
import type { JsonObject } from "../../lib/provider-json.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { TencentApi } from "../../lib/tencent-api.ts";
import { parseBareText, toBareText } from "../bare-text.ts";
import { toRecordName, toSubdomain } from "../dns-name.ts";
import type { RecordData } from "../record-data.ts";
import type { HeldRecord, NewData, RecordChange, RecordEdit } from "../record-plan.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";
import { nameObjections, shapeReader } from "./shape.ts";

type Config = Static<typeof DnspodConfig>;

const ENDPOINT = "https://dnspod.tencentcloudapi.com";
const VERSION = "2021-03-23";
const LARGEST_PAGE = 3000;
/** The line for everybody, by its name and its id. */
const DEFAULT_LINE = { RecordLine: "默认", RecordLineId: "0" };
const NO_RECORDS = "ResourceNotFound.NoDataOfRecord";

const Listed = Type.Object({
  RecordId: Type.Number(),
  Name: Type.String(),
  Type: Type.String(),
  Value: Type.String(),
  Status: Type.String(),
  Line: Type.String(),
  LineId: Type.String(),
  TTL: Type.Number(),
  MX: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  Weight: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  Remark: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
type Listed = Static<typeof Listed>;

const readList = shapeReader(
  "DNSPod",
  Type.Object({
    RecordList: Type.Array(Listed),
    RecordCountInfo: Type.Object({ TotalCount: Type.Number() }),
  }),
);

export const dnspod: DnsProvider<Config> = {
  name: "dnspod",
  types: recordTypes,
  objections: ({ domain, base_url: url }) => [
    ...nameObjections("domain", domain),
    ...baseUrlObjections(url),
  ],
  open: (config, context) => new DnspodZone(config, context),
};

class DnspodZone implements Zone {
  readonly apex: string;
  readonly writesTogether = false;
  readonly #api: TencentApi;

  constructor(config: Config, { exchange, now }: ProviderContext) {
    this.apex = toRecordName(config.domain) ?? config.domain;
    this.#api = new TencentApi({
      secretId: config.secret_id,
      secretKey: config.secret_key,
      endpoint: config.base_url ?? ENDPOINT,
      service: "dnspod",
      version: VERSION,
      exchange,
      now,
    });
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const subdomain = toSubdomain(name, this.apex);
    const filter = { SubDomain: subdomain, RecordType: type, Limit: LARGEST_PAGE };
    const { records } = await this.#list(stage, filter);
    return records
      .filter((each) => each.Type === type && each.Name.toLowerCase() === subdomain)
      .map((each) => ({
        data: dataOf(type, each),
        ttl: each.TTL,
        line: each.LineId,
        handle: each,
      }));
  }

  async write(changes: readonly RecordChange[]): Promise<void> {
    for (const change of changes) {
      for (const edit of change.edits) await this.#apply(change, edit);
    }
  }

  async #apply({ name, type }: RecordChange, edit: RecordEdit): Promise<void> {
    const record = { SubDomain: toSubdomain(name, this.apex), RecordType: type };
    switch (edit.kind) {
      case "add": {
        const ttl = edit.ttl === undefined ? {} : { TTL: edit.ttl };
        const fields = { ...record, ...DEFAULT_LINE, ...valueOf(edit.data), ...ttl };
        await this.#call("write", "CreateRecord", fields);
        break;
      }
      case "replace":
        await this.#call("write", "ModifyRecord", {
          ...record,
          ...keptOf(edit.from.handle as Listed),
          ...valueOf(edit.data),
          ...(edit.ttl === undefined ? {} : { TTL: edit.ttl }),
        });
        break;
      case "remove": {
        const { RecordId } = edit.from.handle as Listed;
        await this.#call("write", "DeleteRecord", { RecordId });
      }
    }
  }

  async test(): Promise<TestFinding> {
    const { count } = await this.#list("read", { Limit: 1 });
    const message = `The key reads ${this.apex}, which has ${count} records. Whether it may edit them shows with the first write.`;
    return { ok: true, message, details: { records: count } };
  }

  async #list(stage: Stage, filter: JsonObject): Promise<{ records: Listed[]; count: number }> {
    try {
      const fields = { ...filter, ErrorOnEmpty: "no" };
      const list = readList(await this.#call(stage, "DescribeRecordList", fields));
      return { records: list.RecordList, count: list.RecordCountInfo.TotalCount };
    } catch (error) {
      const isEmpty = error instanceof ProviderError && error.errorClass === NO_RECORDS;
      if (isEmpty) return { records: [], count: 0 };
      throw error;
    }
  }

  #call(stage: Stage, action: string, fields: JsonObject): Promise<JsonObject> {
    return this.#api.call(stage, action, { Domain: this.apex, ...fields });
  }
}

/** What is left out of a change gets a default: what was read is sent back. */
function keptOf(held: Listed): JsonObject {
  return {
    RecordId: held.RecordId,
    RecordLine: held.Line,
    RecordLineId: held.LineId,
    Status: held.Status,
    TTL: held.TTL,
    ...(typeof held.Weight === "number" ? { Weight: held.Weight } : {}),
    ...(held.Remark ? { Remark: held.Remark } : {}),
  };
}

/** The priority of a service stands in the field for that of mail servers. */
function dataOf(type: RecordType, { Value: value, MX: priority }: Listed): RecordData {
  const isService = type === "HTTPS" || type === "SVCB";
  return parseBareText(type, isService ? `${priority ?? 0} ${value}` : value);
}

function valueOf(data: NewData): { Value: string; MX?: number } {
  const text = toBareText(data);
  if (data.type !== "HTTPS" && data.type !== "SVCB") return { Value: text };
  return { Value: text.slice(text.indexOf(" ") + 1), MX: data.priority };
}
