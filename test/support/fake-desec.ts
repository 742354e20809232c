import { ProviderServer, type Received, type Reply } from "./provider-server.ts";
import type { ZoneRecord } from "./zone-file.ts";

interface Rrset {
  subname: string;
  type: string;
  ttl: number;
  records: string[];
}

const TOKEN = "desec-token-0123456789abcdef";

/** The record sets of one domain at deSEC: changes of several sets happen together, or not at all. */
export class FakeDesec {
  readonly token = TOKEN;
  readonly minimumTtl = 3600;
  readonly sets: Rrset[] = [];
  readonly server: ProviderServer;
  readonly #domain: string;

  private constructor(server: ProviderServer, domain: string) {
    this.server = server;
    this.#domain = domain;
    server.answer = (request) => this.#answer(request);
  }

  static async listen(domain: string, records: readonly ZoneRecord[] = []): Promise<FakeDesec> {
    const fake = new FakeDesec(await ProviderServer.listen(), domain);
    for (const { name, type, ttl, value } of records) {
      const subname = name === domain ? "" : name.slice(0, -domain.length - 1);
      const set = fake.find(subname, type);
      if (set) set.records.push(value);
      else fake.sets.push({ subname, type, ttl, records: [value] });
    }
    return fake;
  }

  get baseUrl(): string {
    return `${this.server.url}/api/v1`;
  }

  find(subname: string, type: string): Rrset | undefined {
    return this.sets.find((each) => each.subname === subname && each.type === type);
  }

  #answer({ method, url, message, body }: Received): Reply {
    if (message.headers.authorization !== `Token ${TOKEN}`) {
      return { status: 401, body: { detail: "Invalid token." } };
    }
    const path = `/api/v1/domains/${this.#domain}/`;
    if (method === "GET" && url.pathname === path) {
      return { status: 200, body: { name: this.#domain, minimum_ttl: this.minimumTtl } };
    }
    if (url.pathname !== `${path}rrsets/`) return { status: 404, body: { detail: "Not found." } };
    if (method === "GET") return this.#list(url.searchParams);
    if (method !== "PATCH") return { status: 405, body: { detail: "Method not allowed." } };
    return this.#change(JSON.parse(body.toString()) as Partial<Rrset>[]);
  }

  #list(query: URLSearchParams): Reply {
    const matches = (name: "subname" | "type", set: Rrset) =>
      [null, set[name]].includes(query.get(name));
    const found = this.sets.filter((each) => matches("subname", each) && matches("type", each));
    const body = found.map(({ subname, type, ttl, records }) => {
      const name = `${subname === "" ? "" : `${subname}.`}${this.#domain}.`;
      return { domain: this.#domain, subname, name, type, ttl, records };
    });
    return { status: 200, body };
  }

  #change(given: readonly Partial<Rrset>[]): Reply {
    const objections = given.map((each) => this.#objectionsTo(each));
    if (objections.some((each) => Object.keys(each).length > 0)) {
      return { status: 400, body: objections };
    }
    for (const each of given) {
      const { subname = "", type = "" } = each;
      const set = this.find(subname, type);
      if (set) Object.assign(set, each);
      else this.sets.push({ subname, type, ttl: 0, records: [], ...each });
    }
    const isEmpty = ({ records }: Rrset) => records.length === 0;
    for (const set of this.sets.filter(isEmpty)) this.sets.splice(this.sets.indexOf(set), 1);
    return { status: 200, body: given };
  }

  #objectionsTo({ subname, type, ttl, records = [] }: Partial<Rrset>): Record<string, string[]> {
    const isNew = subname !== undefined && type !== undefined && !this.find(subname, type);
    const lacking = isNew && ttl === undefined ? { ttl: ["This field is required."] } : {};
    const isShort = ttl !== undefined && ttl < this.minimumTtl;
    const short = `Ensure this value is greater than or equal to ${this.minimumTtl}.`;
    const isBad = records.some((text) => isMisspelt(type ?? "", text));
    return {
      ...lacking,
      ...(subname === undefined || type === undefined ? { type: ["This field is required."] } : {}),
      ...(isShort ? { ttl: [short] } : {}),
      ...(isBad ? { records: ["Cannot parse record contents."] } : {}),
      ...(new Set(records).size < records.length ? { records: ["Duplicate record content."] } : {}),
    };
  }
}

function isMisspelt(type: string, text: string): boolean {
  if (type === "TXT") return !text.startsWith('"');
  return type === "SRV" && !/^\d+ \d+ \d+ \S+\.$/.test(text);
}
