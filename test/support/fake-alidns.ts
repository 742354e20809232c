import { Acs3Verifier } from "./acs3-verifier.ts";
import { ProviderServer, type Received, type Reply } from "./provider-server.ts";
import type { ZoneRecord } from "./zone-file.ts";

export interface AlidnsRecord {
  RecordId: string;
  RR: string;
  Type: string;
  Value: string;
  TTL: number;
  Line: string;
  Status: "ENABLE" | "DISABLE";
  Remark: string;
}

type Query = Record<string, string>;

const KEY = { id: "LTAI-dns-access-key", secret: "alidns-secret-0123456789" };
const VERSION = "2015-01-09";

const statuses: Readonly<Record<string, number>> = {
  "InvalidAccessKeyId.NotFound": 404,
  "InvalidDomainName.NoExist": 404,
};

/** The records of one domain at AliDNS: what an update leaves out gets a default. */
export class FakeAlidns {
  readonly key = KEY;
  readonly records: AlidnsRecord[] = [];
  readonly server: ProviderServer;
  readonly #domain: string;
  readonly #verifier: Acs3Verifier;
  #nextId = 9_000_000_000_000_001n;

  private constructor(server: ProviderServer, domain: string, now: () => number) {
    this.server = server;
    this.#domain = domain;
    this.#verifier = new Acs3Verifier({ [KEY.id]: KEY.secret }, now);
    server.answer = (request) => this.#answer(request);
  }

  static async listen(
    domain: string,
    now: () => number,
    records: readonly ZoneRecord[] = [],
  ): Promise<FakeAlidns> {
    const fake = new FakeAlidns(await ProviderServer.listen(), domain, now);
    for (const { name, type, ttl, value } of records) {
      fake.add({ RR: toRr(name, domain), Type: type, TTL: ttl, Value: toNative(type, value) });
    }
    return fake;
  }

  add(given: Partial<AlidnsRecord>): AlidnsRecord {
    const blank = { RR: "@", Type: "A", Value: "", TTL: 600, Line: "default", Remark: "" };
    const RecordId = String(this.#nextId++);
    const record: AlidnsRecord = { ...blank, Status: "ENABLE", ...given, RecordId };
    this.records.push(record);
    return record;
  }

  #answer({ method, url, message, body }: Received): Reply {
    const fault = this.#verifier.check(message, body);
    if (fault !== undefined) return failure(fault);
    const { "x-acs-action": action, "x-acs-version": version } = message.headers;
    if (version !== VERSION || body.length > 0) return failure("InvalidParameter");
    if (method !== "GET" && method !== "POST") return failure("UnsupportedHTTPMethod");
    const query = Object.fromEntries(url.searchParams);
    const { DomainName: domain = this.#domain } = query;
    if (domain !== this.#domain) return failure("InvalidDomainName.NoExist");
    switch (action) {
      case "DescribeSubDomainRecords":
        return this.#describe(query);
      case "DescribeDomainRecords":
        return shown(this.records, Number(query["PageSize"] ?? 20));
      case "AddDomainRecord":
        return this.#add(query);
      case "UpdateDomainRecord":
        return this.#update(query);
      case "DeleteDomainRecord":
        return this.#delete(query);
      default:
        return failure("InvalidAction.NotFound");
    }
  }

  #describe({ SubDomain: name, Type: type, PageSize: size = "20" }: Query): Reply {
    if (name === undefined) return failure("MissingSubDomain");
    if (!name.endsWith(`.${this.#domain}`)) return failure("InvalidDomainName.NoExist");
    const rr = name.slice(0, -this.#domain.length - 1);
    const found = this.records.filter((each) => each.RR === rr && each.Type === type);
    return shown(found, Number(size));
  }

  #add({ RR, Type, Value, TTL = "600", Line = "default" }: Query): Reply {
    if (RR === undefined || Type === undefined || Value === undefined) {
      return failure("MissingParameter");
    }
    const given = { RR, Type, Value, Line };
    if (this.#isTaken(given)) return failure("DomainRecordDuplicate");
    return success({ RecordId: this.add({ ...given, TTL: Number(TTL) }).RecordId });
  }

  #update({ RecordId, RR, Type, Value, TTL = "600", Line = "default" }: Query): Reply {
    const record = this.records.find((each) => each.RecordId === RecordId);
    if (!record) return failure("DomainRecordNotBelongToUser");
    if (RR === undefined || Type === undefined || Value === undefined) {
      return failure("MissingParameter");
    }
    const given = { RR, Type, Value, Line };
    // An update that changes nothing is none.
    const isSame = record.TTL === Number(TTL);
    if (this.#isTaken(given, isSame ? undefined : record)) return failure("DomainRecordDuplicate");
    Object.assign(record, given, { TTL: Number(TTL) });
    return success({ RecordId });
  }

  #delete({ RecordId }: Query): Reply {
    const at = this.records.findIndex((each) => each.RecordId === RecordId);
    if (at < 0) return failure("DomainRecordNotBelongToUser");
    this.records.splice(at, 1);
    return success({ RecordId });
  }

  #isTaken(given: Pick<AlidnsRecord, "RR" | "Type" | "Value" | "Line">, but?: AlidnsRecord) {
    return this.records.some(
      (each) =>
        each !== but &&
        each.RR === given.RR &&
        each.Type === given.Type &&
        each.Value === given.Value &&
        each.Line === given.Line,
    );
  }
}

export function toRr(name: string, domain: string): string {
  return name === domain ? "@" : name.slice(0, -domain.length - 1);
}

/** As consoles show values: without the dots of zone files, texts without quotes. */
export function toNative(type: string, value: string): string {
  if (type === "TXT") return value.replaceAll('"', "");
  return type === "SRV" ? value.replace(/\.$/, "") : value;
}

function shown(records: readonly AlidnsRecord[], size: number): Reply {
  const page = records.slice(0, size).map((record) => Object.assign({ Locked: false }, record));
  return success({ TotalCount: records.length, DomainRecords: { Record: page } });
}

let requests = 0;

function success(body: object): Reply {
  return { status: 200, body: { RequestId: `536E9CAD-${String((requests += 1))}`, ...body } };
}

function failure(Code: string): Reply {
  const Message = `The request failed: ${Code}`;
  const body = { RequestId: "536E9CAD", HostId: "alidns.example", Code, Message, Recommend: "" };
  return { status: statuses[Code] ?? 400, body };
}
