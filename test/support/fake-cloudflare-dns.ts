import { isIPv4, isIPv6 } from "node:net";
import { ProviderServer, type Received, type Reply } from "./provider-server.ts";
import { ZONE, type ZoneRecord } from "./zone-file.ts";

export interface CloudflareRecord {
  id: string;
  name: string;
  type: string;
  content: string;
  data?: Record<string, unknown>;
  ttl: number;
  proxied: boolean;
  comment: string | null;
  tags: string[];
}

const TOKEN = "cf-dns-token-0123456789abcdef";
const ZONE_ID = "0123456789abcdef0123456789abcdef";
const RECORDS = `/client/v4/zones/${ZONE_ID}/dns_records`;

/** The DNS records of one zone at Cloudflare: a PATCH leaves what it does not name. */
export class FakeCloudflareDns {
  readonly token = TOKEN;
  readonly zoneId = ZONE_ID;
  readonly records: CloudflareRecord[] = [];
  readonly server: ProviderServer;
  #nextId = 1;

  private constructor(server: ProviderServer) {
    this.server = server;
    server.answer = (request) => this.#answer(request);
  }

  static async listen(records: readonly ZoneRecord[] = []): Promise<FakeCloudflareDns> {
    const fake = new FakeCloudflareDns(await ProviderServer.listen());
    for (const { name, type, ttl, value } of records) {
      fake.add({ name, type, ttl, ...toNative(type, value) });
    }
    return fake;
  }

  get baseUrl(): string {
    return `${this.server.url}/client/v4`;
  }

  add(given: Partial<CloudflareRecord>): CloudflareRecord {
    const id = (this.#nextId++).toString(16).padStart(32, "0");
    const blank = { name: "", type: "A", content: "", ttl: 1, proxied: false, tags: [] };
    const record = { ...blank, comment: null, ...given, id };
    this.records.push(record);
    return record;
  }

  #answer({ method, url, message, body }: Received): Reply {
    if (message.headers.authorization !== `Bearer ${TOKEN}`) {
      return failure(403, 10_000, "Authentication error");
    }
    if (!url.pathname.startsWith(RECORDS)) return failure(404, 7003, "Could not route to the path");
    const id = url.pathname.slice(RECORDS.length + 1);
    if (method === "GET" && id === "") return this.#list(url);
    if (method === "POST" && id === "") return this.#create(JSON.parse(body.toString()) as object);
    const record = this.records.find((each) => each.id === id);
    if (!record) return failure(404, 81_044, "Record does not exist.");
    if (method === "DELETE") {
      this.records.splice(this.records.indexOf(record), 1);
      return success({ id });
    }
    if (method !== "PATCH") return failure(405, 10_405, "Method not allowed");
    return this.#change(record, JSON.parse(body.toString()) as object);
  }

  #list({ searchParams: query }: URL): Reply {
    const [name, type] = [query.get("name.exact"), query.get("type")];
    const found = this.records.filter(
      (each) => (name === null || each.name === name) && (type === null || each.type === type),
    );
    const shown = found.slice(0, Number(query.get("per_page") ?? 100));
    return {
      status: 200,
      body: { ...envelope(shown), result_info: { total_count: found.length } },
    };
  }

  #create(given: Partial<CloudflareRecord>): Reply {
    const objection = this.#objectionTo(given);
    return objection ?? success(this.add({ ...given, ...derived(given) }));
  }

  #change(record: CloudflareRecord, given: Partial<CloudflareRecord>): Reply {
    const changed = { ...record, ...given };
    const objection = this.#objectionTo(changed);
    if (objection) return objection;
    Object.assign(record, changed, derived(changed));
    // The TTL of what is proxied is not for users to choose.
    if (record.proxied) record.ttl = 1;
    return success(record);
  }

  #objectionTo(given: Partial<CloudflareRecord>): Reply | undefined {
    const { id, name = "", type = "", ttl = 1, content, data } = given;
    if (!`.${name}`.endsWith(`.${ZONE}`)) {
      return failure(400, 9000, "DNS name is invalid for this zone.");
    }
    if (ttl !== 1 && (ttl < 60 || ttl > 86_400)) return failure(400, 9021, "Invalid TTL.");
    if (type === "A" && !isIPv4(content ?? "")) return failure(400, 9005, "Content for A record");
    if (type === "AAAA" && !isIPv6(content ?? "")) return failure(400, 9006, "Content for AAAA");
    if (["SRV", "HTTPS", "SVCB"].includes(type) && !data) {
      return failure(400, 9101, "data is a required field");
    }
    if (type === "SRV" && typeof data?.["port"] !== "number") {
      return failure(400, 9101, "port must be a number");
    }
    const text = derived(given).content;
    const isTwin = this.records.some(
      (each) => each.id !== id && each.name === name && each.type === type && each.content === text,
    );
    return isTwin ? failure(400, 81_058, "An identical record already exists.") : undefined;
  }
}

/** For these types the content is made of the data. */
function derived({ type, content = "", data }: Partial<CloudflareRecord>): { content: string } {
  switch (type) {
    case "SRV":
      return { content: words(data, "weight", "port", "target").join("\t") };
    case "HTTPS":
    case "SVCB":
      return { content: words(data, "priority", "target", "value").join(" ") };
    default:
      return { content };
  }
}

function words(data: Record<string, unknown> = {}, ...names: string[]): string[] {
  return names.map((name) => String(data[name]));
}

function toNative(type: string, value: string): Pick<CloudflareRecord, "content" | "data"> {
  const [first = "", second = "", ...rest] = value.split(" ");
  if (type === "SRV") {
    const [port, target = ""] = rest;
    const numbers = { priority: Number(first), weight: Number(second), port: Number(port) };
    const data = { ...numbers, target: target.replace(/\.$/, "") };
    return { data, ...derived({ type, data }) };
  }
  if (type === "HTTPS" || type === "SVCB") {
    const quoted = rest.map((word) => word.replace(/=(.*)/, '="$1"')).join(" ");
    const data = { priority: Number(first), target: second, value: quoted };
    return { data, ...derived({ type, data }) };
  }
  return { content: value };
}

function envelope(result: unknown) {
  return { result, success: true, errors: [], messages: [] };
}

function success(result: unknown): Reply {
  return { status: 200, body: envelope(result) };
}

function failure(status: number, code: number, message: string): Reply {
  const errors = [{ code, message }];
  return { status, body: { result: null, success: false, errors, messages: [] } };
}
