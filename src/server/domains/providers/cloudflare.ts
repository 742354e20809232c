import { Type, type Static } from "typebox";
import {
  recordTypes,
  type CloudflareConfig,
  type RecordType,
} from "../../../shared/api/domains.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { CloudflareApi } from "../../lib/cloudflare-api.ts";
import { toRecordName } from "../dns-name.ts";
import { parseLooseText, parseText, toText, type RecordData } from "../record-data.ts";
import type { HeldRecord, NewData, RecordChange, RecordEdit } from "../record-plan.ts";
import { formatParameters } from "../service-parameters.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";
import { shapeReader } from "./shape.ts";

type Config = Static<typeof CloudflareConfig>;

/** A TTL that Cloudflare chooses. */
const AUTOMATIC_TTL = 1;

/** Whatever else a record holds is left alone by the API's PATCH. */
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

const readList = shapeReader("Cloudflare", Type.Array(Listed));

export const cloudflare: DnsProvider<Config> = {
  name: "cloudflare",
  types: recordTypes,
  objections: ({ base_url: url }) => baseUrlObjections(url),
  open: (config, context) => new CloudflareZone(config, context),
};

class CloudflareZone implements Zone {
  readonly apex = undefined;
  readonly writesTogether = false;
  readonly #api: CloudflareApi;
  readonly #path: string;

  constructor(config: Config, { exchange, now }: ProviderContext) {
    const { api_token: token, base_url: baseUrl, zone_id: zone } = config;
    this.#api = new CloudflareApi({ token, baseUrl, exchange, now });
    this.#path = `/zones/${zone}/dns_records`;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const query = new URLSearchParams({ type, "name.exact": name, per_page: "100" });
    return readList(await this.#api.get(stage, `${this.#path}?${query.toString()}`))
      .filter((each) => each.type === type && toRecordName(each.name) === name)
      .map((each) => ({
        data: dataOf(type, each),
        // What is proxied has the TTL that Cloudflare gives it.
        ttl: each.proxied === true ? null : each.ttl,
        line: "",
        handle: each,
      }));
  }

  async write(changes: readonly RecordChange[]): Promise<void> {
    for (const change of changes) {
      for (const edit of change.edits) await this.#apply(change, edit);
    }
  }

  async #apply({ name, type }: RecordChange, edit: RecordEdit): Promise<void> {
    if (edit.kind === "add") {
      const ttl = edit.ttl ?? AUTOMATIC_TTL;
      await this.#api.post("write", this.#path, { type, name, ...contentOf(edit.data), ttl });
      return;
    }
    const held = edit.from.handle as Listed;
    const path = `${this.#path}/${encodeURIComponent(held.id)}`;
    if (edit.kind === "remove") {
      await this.#api.delete("write", path);
      return;
    }
    const ttl = held.proxied === true ? held.ttl : (edit.ttl ?? held.ttl);
    const body = { type, name: held.name, ...contentOf(edit.data), ttl };
    await this.#api.patch("write", path, body);
  }

  async test(): Promise<TestFinding> {
    readList(await this.#api.get("read", `${this.#path}?per_page=1`));
    const message =
      "The token reads the records of the zone. Whether it may edit them shows with the first write.";
    return { ok: true, message };
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
    default: {
      const words = ["priority", "target", "value"].map((key) => wordOf(data?.[key]));
      return parseText(type, words.join(" "));
    }
  }
}

function wordOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** For some types `content` is read only. */
function contentOf(data: NewData): object {
  switch (data.type) {
    case "SRV": {
      const { priority, weight, port, target } = data;
      return { data: { priority, weight, port, target: target === "" ? "." : target } };
    }
    case "HTTPS":
    case "SVCB": {
      const { priority, target, parameters } = data;
      const value = formatParameters(parameters, "always");
      return { data: { priority, target: target === "" ? "." : target, value } };
    }
    default:
      return { content: toText(data) };
  }
}
