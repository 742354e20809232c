import { Type, type Static } from "typebox";
import { recordTypes, type DnspodConfig, type RecordType } from "../../../shared/api/domains.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { signTc3 } from "../../lib/tc3.ts";
import { parseBareText, toBareText } from "../bare-text.ts";
import { toRecordName, toSubdomain } from "../dns-name.ts";
import { DomainError } from "../domain-error.ts";
import type { RecordData } from "../record-data.ts";
import type { HeldRecord, NewData, RecordChange, RecordEdit } from "../record-plan.ts";
import {
  answerReader,
  baseUrlObjections,
  failure,
  isSuccess,
  isTransientStatus,
  nameObjections,
  unreadable,
} from "./http-api.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof DnspodConfig>;

const BASE_URL = "https://dnspod.tencentcloudapi.com";
const SERVICE = "dnspod";
const VERSION = "2021-03-23";
const LARGEST_PAGE = 3000;
/** The line for everybody, by its name and its id. */
const DEFAULT_LINE = { RecordLine: "默认", RecordLineId: "0" };
const NO_RECORDS = "ResourceNotFound.NoDataOfRecord";

const TRANSIENT =
  /^(?:RequestLimitExceeded|LimitExceeded\.RateLimit|InternalError|AuthFailure\.SignatureExpire)/;
const OF_ACCOUNT =
  /^(?:AuthFailure|UnauthorizedOperation|RequestLimitExceeded|ResourceNotFound\.NoDataOfDomain)/;

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

const readList = answerReader(
  Type.Object({
    Response: Type.Object({
      RecordList: Type.Array(Listed),
      RecordCountInfo: Type.Optional(Type.Object({ TotalCount: Type.Number() })),
    }),
  }),
);
const readAny = answerReader(Type.Object({ Response: Type.Object({ RequestId: Type.String() }) }));
const readError = answerReader(
  Type.Object({
    Response: Type.Object({ Error: Type.Object({ Code: Type.String(), Message: Type.String() }) }),
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
  readonly #config: Config;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    this.#config = config;
    this.apex = toRecordName(config.domain) ?? config.domain;
    this.#context = context;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const subdomain = toSubdomain(name, this.apex);
    const list = await this.#list(stage, {
      SubDomain: subdomain,
      RecordType: type,
      Limit: LARGEST_PAGE,
    });
    return list.records
      .filter((each) => each.Type === type && each.Name.toLowerCase() === subdomain)
      .map((each) => ({
        data: dataOf(type, each),
        ttl: each.TTL,
        line: each.LineId,
        handle: each,
      }));
  }

  async write([change]: readonly RecordChange[]): Promise<void> {
    for (const edit of change?.edits ?? []) {
      if (change) await this.#apply(change, edit);
    }
  }

  /** What is left out gets a default: what was read is sent back. */
  async #apply({ name, type }: RecordChange, edit: RecordEdit): Promise<void> {
    const record = { SubDomain: toSubdomain(name, this.apex), RecordType: type };
    switch (edit.kind) {
      case "add": {
        const ttl = edit.ttl === undefined ? {} : { TTL: edit.ttl };
        await this.#change("CreateRecord", {
          ...record,
          ...DEFAULT_LINE,
          ...valueOf(edit.data),
          ...ttl,
        });
        break;
      }
      case "replace": {
        const held = edit.from.handle as Listed;
        await this.#change("ModifyRecord", {
          ...record,
          RecordId: held.RecordId,
          RecordLine: held.Line,
          RecordLineId: held.LineId,
          Status: held.Status,
          TTL: edit.ttl ?? held.TTL,
          ...(typeof held.Weight === "number" ? { Weight: held.Weight } : {}),
          ...(held.Remark ? { Remark: held.Remark } : {}),
          ...valueOf(edit.data),
        });
        break;
      }
      case "remove":
        await this.#change("DeleteRecord", { RecordId: (edit.from.handle as Listed).RecordId });
    }
  }

  async test(): Promise<TestFinding> {
    const { count } = await this.#list("read", { Limit: 1 });
    return {
      ok: true,
      message: `The key may read ${this.apex}, which has ${count} records; whether it may edit them shows with the first change`,
      details: { records: count },
    };
  }

  async #list(stage: Stage, filter: object): Promise<{ records: Listed[]; count: number }> {
    try {
      const answer = await this.#call(stage, "DescribeRecordList", {
        ...filter,
        ErrorOnEmpty: "no",
      });
      const list = readList(answer);
      if (!list) throw unreadable(answer, this.#context);
      const { RecordList: records, RecordCountInfo: info } = list.Response;
      return { records, count: info?.TotalCount ?? records.length };
    } catch (error) {
      const isEmpty = error instanceof DomainError && error.errorClass === NO_RECORDS;
      if (isEmpty) return { records: [], count: 0 };
      throw error;
    }
  }

  async #change(action: string, body: object): Promise<void> {
    const answer = await this.#call("write", action, body);
    if (!readAny(answer)) throw unreadable(answer, this.#context);
  }

  /** Errors are answered with 200, too. */
  async #call(stage: Stage, action: string, fields: object): Promise<IncomingAnswer> {
    const { secret_id: secretId, secret_key: secretKey, base_url: base = BASE_URL } = this.#config;
    const body = JSON.stringify({ Domain: this.apex, ...fields });
    const at = this.#context.now();
    const call = { endpoint: base, service: SERVICE, action, version: VERSION, body, at };
    const answer = await this.#context.exchange.send({
      stage,
      method: "POST",
      url: `${new URL(base).origin}/`,
      headers: signTc3({ secretId, secretKey }, call),
      body,
    });
    const error = readError(answer)?.Response.Error;
    if (isSuccess(answer) && !error) return answer;
    throw failure(answer, this.#context, {
      code: error?.Code,
      words: error?.Message,
      isTransient: isTransientStatus(answer.status) || TRANSIENT.test(error?.Code ?? ""),
      concernsAccount: OF_ACCOUNT.test(error?.Code ?? ""),
    });
  }
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
