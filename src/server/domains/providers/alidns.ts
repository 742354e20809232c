import { randomUUID } from "node:crypto";
import { Type, type Static, type TSchema } from "typebox";
import { recordTypes, type AlidnsConfig, type RecordType } from "../../../shared/api/domains.ts";
import { signAcs3 } from "../../lib/acs3.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { toRecordName, toSubdomain } from "../dns-name.ts";
import { DomainError } from "../domain-error.ts";
import { toBareText, parseBareText } from "../bare-text.ts";
import type { HeldRecord, RecordChange, RecordEdit } from "../record-plan.ts";
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

type Config = Static<typeof AlidnsConfig>;

const BASE_URL = "https://alidns.aliyuncs.com";
const VERSION = "2015-01-09";
const LARGEST_PAGE = "500";
/** The name of the line for everybody. */
const DEFAULT_LINE = "default";

const TRANSIENT =
  /^(?:Throttling|ServiceUnavailable|InternalError|LastOperationNotFinished|SignatureNonceUsed|InvalidTimeStamp)/;
const OF_ACCOUNT =
  /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|IncompleteSignature|Forbidden|NoPermission|Throttling|InvalidDomainName|InvalidTimeStamp)/;

const Listed = Type.Object({
  RecordId: Type.String(),
  RR: Type.String(),
  Type: Type.String(),
  Value: Type.String(),
  TTL: Type.Number(),
  Line: Type.Optional(Type.String()),
});
type Listed = Static<typeof Listed>;

const readList = answerReader(
  Type.Object({
    TotalCount: Type.Optional(Type.Number()),
    DomainRecords: Type.Object({ Record: Type.Array(Listed) }),
  }),
);
const readAny = answerReader(Type.Object({ RequestId: Type.String() }) as TSchema);
const readError = answerReader(
  Type.Object({ Code: Type.String(), Message: Type.Optional(Type.String()) }),
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
  readonly #config: Config;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    this.#config = config;
    this.apex = toRecordName(config.domain) ?? config.domain;
    this.#context = context;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const rr = toSubdomain(name, this.apex);
    const answer = await this.#call(stage, "DescribeSubDomainRecords", {
      SubDomain: `${rr}.${this.apex}`,
      DomainName: this.apex,
      Type: type,
      PageSize: LARGEST_PAGE,
    });
    const list = readList(answer);
    if (!list) throw unreadable(answer, this.#context);
    return list.DomainRecords.Record.filter(
      (each) => each.Type === type && each.RR.toLowerCase() === rr,
    ).map((each) => ({
      data: parseBareText(type, each.Value),
      ttl: each.TTL,
      line: each.Line ?? DEFAULT_LINE,
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
    const rr = toSubdomain(name, this.apex);
    switch (edit.kind) {
      case "add":
        await this.#change("AddDomainRecord", {
          DomainName: this.apex,
          RR: rr,
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
    const answer = await this.#call("read", "DescribeDomainRecords", query);
    const count = readList(answer)?.TotalCount;
    if (count === undefined) throw unreadable(answer, this.#context);
    return {
      ok: true,
      message: `The key may read ${this.apex}, which has ${count} records; whether it may edit them shows with the first change`,
      details: { records: count },
    };
  }

  async #change(action: string, query: Record<string, string>): Promise<void> {
    try {
      const answer = await this.#call("write", action, query);
      if (!readAny(answer)) throw unreadable(answer, this.#context);
    } catch (error) {
      // It says so already, as it seems; the reading that follows decides.
      if (error instanceof DomainError && error.errorClass === "DomainRecordDuplicate") return;
      throw error;
    }
  }

  async #call(
    stage: Stage,
    action: string,
    query: Record<string, string>,
  ): Promise<IncomingAnswer> {
    const { access_key_id: accessKeyId, access_key_secret: accessKeySecret } = this.#config;
    const { url, headers } = signAcs3(
      { accessKeyId, accessKeySecret },
      {
        method: "POST",
        endpoint: this.#config.base_url ?? BASE_URL,
        action,
        version: VERSION,
        query,
        nonce: randomUUID(),
        at: this.#context.now(),
      },
    );
    const answer = await this.#context.exchange.send({
      stage,
      method: "POST",
      url,
      headers: { ...headers, accept: "application/json" },
    });
    if (isSuccess(answer)) return answer;
    const error = readError(answer);
    throw failure(answer, this.#context, {
      code: error?.Code,
      words: error?.Message,
      isTransient: isTransientStatus(answer.status) || TRANSIENT.test(error?.Code ?? ""),
      concernsAccount: OF_ACCOUNT.test(error?.Code ?? ""),
    });
  }
}
