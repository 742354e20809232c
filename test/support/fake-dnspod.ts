import { toNative, toRr } from "./fake-alidns.ts";
import { ProviderServer, type Received, type Reply } from "./provider-server.ts";
import { Tc3Verifier } from "./tc3-verifier.ts";
import type { ZoneRecord } from "./zone-file.ts";

export interface DnspodRecord {
  RecordId: number;
  Name: string;
  Type: string;
  Value: string;
  Status: string;
  Line: string;
  LineId: string;
  TTL: number;
  MX: number;
  Weight: number | null;
  Remark: string;
}

type Json = Record<string, unknown>;

const KEY = { id: "AKIDdnspod0123456789", secret: "dnspod-secret-0123456789" };
const VERSION = "2021-03-23";
const services: readonly string[] = ["HTTPS", "SVCB"];

/** The records of one domain at DNSPod: what a change leaves out gets a default. */
export class FakeDnspod {
  readonly key = KEY;
  readonly records: DnspodRecord[] = [];
  /** Whether an empty list is an error although it was asked not to be one. */
  isStrict = false;
  readonly server: ProviderServer;
  readonly #domain: string;
  readonly #verifier: Tc3Verifier;
  #nextId = 556_507_778;

  private constructor(server: ProviderServer, domain: string, now: () => number) {
    this.server = server;
    this.#domain = domain;
    this.#verifier = new Tc3Verifier({ [KEY.id]: KEY.secret }, "dnspod", now);
    server.answer = (request) => this.#answer(request);
  }

  static async listen(
    domain: string,
    now: () => number,
    records: readonly ZoneRecord[] = [],
  ): Promise<FakeDnspod> {
    const fake = new FakeDnspod(await ProviderServer.listen(), domain, now);
    for (const { name, type, ttl, value } of records) {
      const [priority = "", ...rest] = value.split(" ");
      const native = services.includes(type)
        ? { MX: Number(priority), Value: rest.join(" ") }
        : { Value: toNative(type, value) };
      fake.add({ Name: toRr(name, domain), Type: type, TTL: ttl, ...native });
    }
    return fake;
  }

  add(given: Partial<DnspodRecord>): DnspodRecord {
    const record: DnspodRecord = {
      Name: "@",
      Type: "A",
      Value: "",
      Status: "ENABLE",
      Line: "默认",
      LineId: "0",
      TTL: 600,
      MX: 0,
      Weight: null,
      Remark: "",
      ...given,
      RecordId: this.#nextId++,
    };
    this.records.push(record);
    return record;
  }

  #answer({ method, url, message, body }: Received): Reply {
    if (method !== "POST" || url.pathname !== "/") return { status: 404, body: "not found" };
    const fault = this.#verifier.check(message, body);
    if (fault !== undefined) return failure(fault);
    const { "x-tc-action": action, "x-tc-version": version } = message.headers;
    if (version !== VERSION) return failure("NoSuchVersion");
    const given = JSON.parse(body.toString()) as Json;
    if (given["Domain"] !== this.#domain) return failure("ResourceNotFound.NoDataOfDomain");
    switch (action) {
      case "DescribeRecordList":
        return this.#describe(given);
      case "CreateRecord":
        return objectionTo(given) ?? success({ RecordId: this.add(toRecord(given)).RecordId });
      case "ModifyRecord":
        return objectionTo(given) ?? this.#modify(given);
      case "DeleteRecord":
        return this.#delete(given);
      default:
        return failure("InvalidAction");
    }
  }

  #describe({ SubDomain, RecordType, Limit = 100, ErrorOnEmpty = "yes" }: Json): Reply {
    const found = this.records.filter(
      ({ Name, Type }) =>
        (SubDomain === undefined || Name === SubDomain) &&
        (RecordType === undefined || Type === RecordType),
    );
    if (found.length === 0 && (ErrorOnEmpty === "yes" || this.isStrict)) {
      return failure("ResourceNotFound.NoDataOfRecord");
    }
    const counts = { SubdomainCount: found.length, ListCount: found.length };
    const RecordCountInfo = { ...counts, TotalCount: found.length };
    return success({ RecordCountInfo, RecordList: found.slice(0, Limit as number) });
  }

  #modify(given: Json): Reply {
    const record = this.records.find((each) => each.RecordId === given["RecordId"]);
    if (!record) return failure("InvalidParameter.RecordIdInvalid");
    Object.assign(record, blank, toRecord(given));
    return success({ RecordId: record.RecordId });
  }

  #delete({ RecordId }: Json): Reply {
    const at = this.records.findIndex((each) => each.RecordId === RecordId);
    if (at < 0) return failure("InvalidParameter.RecordIdInvalid");
    this.records.splice(at, 1);
    return success({});
  }
}

const blank = {
  Name: "@",
  Status: "ENABLE",
  TTL: 600,
  MX: 0,
  Weight: null,
  LineId: "0",
  Remark: "",
};

function toRecord(given: Json): Partial<DnspodRecord> {
  const {
    SubDomain,
    RecordType,
    RecordLine,
    RecordLineId,
    Value,
    MX,
    TTL,
    Weight,
    Status,
    Remark,
  } = given;
  const place = { Name: SubDomain, Type: RecordType, Line: RecordLine, LineId: RecordLineId };
  const named = { ...place, Value, MX, TTL, Weight, Status, Remark };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

function objectionTo({ RecordType: type, RecordLine: line, Value: value, MX: mx }: Json) {
  if (typeof line !== "string" || typeof value !== "string") return failure("MissingParameter");
  const lacksPriority = services.includes(String(type)) && typeof mx !== "number";
  return lacksPriority ? failure("InvalidParameter.MxInvalid") : undefined;
}

function success(response: Json): Reply {
  return { status: 200, body: { Response: { ...response, RequestId: "ab4f1426-ea15" } } };
}

function failure(Code: string): Reply {
  const Error = { Code, Message: `The request failed: ${Code}` };
  return { status: 200, body: { Response: { Error, RequestId: "ab4f1426-ea15" } } };
}
