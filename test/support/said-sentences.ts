import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = "src/{server,shared,probe}/**/*.ts";

/** Whose words reach a terminal, a log, a mail, a monitor or a program, and no page. */
const unheard = [
  "src/probe/{byte-stream,conversation,deadline,handshake-message,packet*,peer-errors}.ts",
  "src/probe/{protobuf,slots,web-socket*}.ts",
  // Described by it: the API. What a page needs of its lists is held by another test.
  "src/shared/api/**",
  "src/server/{cli,config,holes,registry,run,service,setting-values,settings,stated-settings}.ts",
  "src/server/{commands,database,instances}/**",
  "src/server/**/{*metrics,meter,metrics-text,metered-journal,query-meter}.ts",
  // What a success answers with says nothing that a page shows.
  "src/server/**/*routes.ts",
  "src/server/callbacks/{notice,notice-channels,notifier}.ts",
  "src/server/http/{app,headers,openapi,ready-head,sent-as-is,serializer,web-files}.ts",
  "src/server/lib/{outgoing-http,progress,tc3,acs3,thread-priority}.ts",
  "src/server/reports/{fold,folder,journal}*.ts",
  "src/server/reports/{record,reports,silence,workers}.ts",
  "src/server/stun/upnp*.ts",
  "src/server/system/{backup,jwt,key,restore,sealed,secret}*.ts",
  "src/server/users/{console,mail-queue,mails,smtp,users}.ts",
];

/** Properties that describe: the API, a metric. */
const describing: ReadonlySet<string> = new Set(["description", "help", "summary", "title"]);

/** Defects: who meets one is told that there is one, and the log the rest. */
const defects: ReadonlySet<string> = new Set(["Error", "RangeError", "TypeError"]);
/** Here the reason why something was not held is thrown, and said. */
const SAYS_ITS_ERRORS = /stun\/keep-alive[\w-]*\.ts$/;

const levels: ReadonlySet<string> = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);

/** A text that the sources write out, `{}` where a value stands. */
export interface WrittenText {
  text: string;
  file: string;
  line: number;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Every text of the service's sources that somebody in front of a page may be shown. */
export function writtenTexts(): WrittenText[] {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: unheard }).toSorted();
  return files.flatMap((file) => textsOf(file, readFileSync(join(ROOT, file), "utf8")));
}

/** Those of a source that could be said; exported so that a test can try it. */
export function textsOf(file: string, source: string): WrittenText[] {
  const found: WrittenText[] = [];
  const spoken = SAYS_ITS_ERRORS.test(file);
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value) && !isUnheard(value, spoken)) {
      const text = toText(value);
      if (text !== undefined) {
        found.push({ text, file, line: source.slice(0, value.start).split("\n").length });
      }
      Object.values(value).forEach(visit);
    }
  };
  visit(parseSync(file, source).program);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Whether nothing inside the node is ever shown on a page. */
function isUnheard(node: Node, saysItsErrors: boolean): boolean {
  if (node.type === "TaggedTemplateExpression") return true;
  if (node.type.startsWith("TS") && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return true;
  if (/^(?:Import|Export).*Declaration$/.test(node.type)) return isNode(node["source"]);
  if (node.type === "Property") return describing.has(nameOf(node["key"]));
  if (node.type === "NewExpression") return !saysItsErrors && defects.has(nameOf(node["callee"]));
  if (node.type === "CallExpression" && isNode(node["callee"])) {
    const { object, property } = node["callee"];
    return levels.has(nameOf(property)) && /logger$/i.test(nameOf(object));
  }
  return false;
}

/** The last name of `logger`, `this.#logger`, `parts.logger`. */
function nameOf(value: unknown): string {
  if (!isNode(value)) return "";
  if (value.type === "MemberExpression") return nameOf(value["property"]);
  return typeof value["name"] === "string" ? value["name"] : "";
}

function toText(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node["quasis"] as { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join("{}");
}
