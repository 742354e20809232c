import { Type, type Static } from "typebox";
import { recordTypes, type AlidnsConfig, type RecordType } from "../../../shared/api/domains.ts";
import { AliyunApi } from "../../lib/aliyun-api.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { ProviderError } from "../../lib/provider-error.ts";
import { parseBareText, toBareText } from "../bare-text.ts";
import { toRecordName, toSubdomain } from "../dns-name.ts";
import type { HeldRecord, RecordChange, RecordEdit } from "../record-plan.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";
import { nameObjections, shapeReader } from "./shape.ts";

type Config = Static<typeof AlidnsConfig>;

const ENDPOINT = "https://alidns.aliyuncs.com";
const VERSION = "2015-01-09";
const LARGEST_PAGE = "500";
/** The name of the line for everybody. */
const DEFAULT_LINE = "default";

const Listed = Type.Object({
  RecordId: Type.String(),
  RR: Type.String(),
  Type: Type.String(),
  Value: Type.String(),
  TTL: Type.Number(),
  Line: Type.Optional(Type.String()),
});
type Listed = Static<typeof Listed>;

const readList = shapeReader(
  "Alibaba Cloud",
  Type.Object({
    TotalCount: Type.Number(),
    DomainRecords: Type.Object({ Record: Type.Array(Listed) }),
  }),
);

export const alidns: DnsProvider<Config> = {
  name: "alidns",
  types: recordTypes,
  objections: ({ domain, base_url: url }) => [
    ...nameObjections("domain", domain),
    ...baseUrlObjections(url),
  ],
  open: (config, context) => new AlidnsZone(config, context),
};

class AlidnsZone implements Zone {
  readonly apex: string;
  readonly writesTogether = false;
  readonly #api: AliyunApi;

  constructor(config: Config, { exchange, now }: ProviderContext) {
    this.apex = toRecordName(config.domain) ?? config.domain;
    this.#api = new AliyunApi({
      accessKeyId: config.access_key_id,
      accessKeySecret: config.access_key_secret,
      endpoint: config.base_url ?? ENDPOINT,
      version: VERSION,
      exchange,
      now,
    });
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const rr = toSubdomain(name, this.apex);
    const answer = await this.#api.call(stage, "GET", "DescribeSubDomainRecords", {
      SubDomain: `${rr}.${this.apex}`,
      DomainName: this.apex,
      Type: type,
      PageSize: LARGEST_PAGE,
    });
    return readList(answer)
      .DomainRecords.Record.filter((each) => each.Type === type && each.RR.toLowerCase() === rr)
      .map((each) => ({
        data: parseBareText(type, each.Value),
        ttl: each.TTL,
        line: each.Line ?? DEFAULT_LINE,
        handle: each,
      }));
  }

  async write(changes: readonly RecordChange[]): Promise<void> {
    for (const change of changes) {
      for (const edit of change.edits) await this.#apply(change, edit);
    }
  }

  /** What is left out gets a default: what was read is sent back. */
  async #apply({ name, type }: RecordChange, edit: RecordEdit): Promise<void> {
    switch (edit.kind) {
      case "add":
        await this.#change("AddDomainRecord", {
          DomainName: this.apex,
          RR: toSubdomain(name, this.apex),
          Type: type,
          Value: toBareText(edit.data),
          ...(edit.ttl === undefined ? {} : { TTL: String(edit.ttl) }),
        });
        break;
      case "replace": {
        const held = edit.from.handle as Listed;
        await this.#change("UpdateDomainRecord", {
          RecordId: held.RecordId,
          RR: held.RR,
          Type: type,
          Value: toBareText(edit.data),
          TTL: String(edit.ttl ?? held.TTL),
          Line: edit.from.line,
        });
        break;
      }
      case "remove":
        await this.#change("DeleteDomainRecord", {
          RecordId: (edit.from.handle as Listed).RecordId,
        });
    }
  }

  async test(): Promise<TestFinding> {
    const query = { DomainName: this.apex, PageSize: "1" };
    const answer = await this.#api.call("read", "GET", "DescribeDomainRecords", query);
    const { TotalCount: count } = readList(answer);
    const message = `The key reads ${this.apex}, which has ${count} records. Whether it may edit them shows with the first write.`;
    return { ok: true, message, details: { records: count } };
  }

  async #change(action: string, query: Record<string, string>): Promise<void> {
    try {
      await this.#api.call("write", "POST", action, query);
    } catch (error) {
      // The record says so already, they say; the reading that follows decides.
      const isThere =
        error instanceof ProviderError && error.errorClass === "DomainRecordDuplicate";
      if (!isThere) throw error;
    }
  }
}
