import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { CounterBits } from "./counters.ts";
import type { Direction } from "./ledger.ts";
import { options, SettingError, type Given, type OptionName } from "./options.ts";
import type { Identity } from "./report.ts";
import type { SystemFolders } from "./system-files.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface AgentSettings {
  /** Without a slash at its end. */
  url: string;
  identity: Identity;
  source: "auto" | "overlay" | "interface";
  /** Empty: that of the default route. */
  interfaceName: string;
  ports: ReadonlySet<number>;
  traffic: Direction;
  intervalMs: number;
  stateDir: string;
  overlayCli: string;
  overlayPortal: string;
  counterBits: CounterBits | "auto";
  folders: SystemFolders;
}

/** @throws SettingError */
export function readSettings({ valueOf }: Given, environment: Environment): AgentSettings {
  return {
    url: toUrl(valueOf("url")),
    identity: {
      email: required("email", valueOf("email")),
      nodeName: required("node", valueOf("node")),
      token: readToken(valueOf("tokenFile"), environment["WAYPOST_REPORT_TOKEN"]?.trim() ?? ""),
    },
    source: choose("source", valueOf, { auto: "auto", overlay: "overlay", interface: "interface" }),
    interfaceName: valueOf("interface"),
    ports: toPorts(valueOf("ports")),
    traffic: choose("traffic", valueOf, { both: "both", in: "in", out: "out" }),
    intervalMs: toInterval(valueOf("interval")),
    stateDir: resolve(valueOf("stateDir") || defaultStateDir(environment)),
    overlayCli: valueOf("overlayCli"),
    overlayPortal: valueOf("overlayPortal"),
    counterBits: choose("counterBits", valueOf, { auto: "auto", 32: 32, 64: 64 }),
    folders: { proc: valueOf("proc"), sys: valueOf("sys") },
  };
}

function nameOf(name: OptionName): string {
  const { flag, variable } = options[name];
  return `--${flag} (${variable})`;
}

function required(name: OptionName, value: string): string {
  if (value !== "") return value;
  throw new SettingError(`${nameOf(name)} is missing`);
}

function toUrl(value: string): string {
  const url = URL.canParse(required("url", value)) ? new URL(value) : undefined;
  const isPlain = url !== undefined && url.search === "" && url.hash === "" && url.username === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new SettingError(`${nameOf("url")} must be http://… or https://…, without a query`);
}

function readToken(file: string, value: string): string {
  if (file === "") {
    if (value !== "") return value;
    throw new SettingError("WAYPOST_REPORT_TOKEN or WAYPOST_REPORT_TOKEN_FILE is missing");
  }
  try {
    const token = readFileSync(file, "utf8").trim();
    if (token !== "") return token;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new SettingError(`${nameOf("tokenFile")} cannot be read: ${code}`);
  }
  throw new SettingError(`${nameOf("tokenFile")} names an empty file`);
}

function toPorts(value: string): Set<number> {
  const ports = value.split(",").map((each) => Number(each.trim() || Number.NaN));
  if (ports.every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    return new Set(ports);
  }
  throw new SettingError(`${nameOf("ports")} must be ports, separated by commas`);
}

function toInterval(value: string): number {
  const seconds = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (seconds >= 1 && seconds <= 86_400) return seconds * 1_000;
  throw new SettingError(`${nameOf("interval")} must be a number of seconds from 1 to 86400`);
}

function choose<T>(
  name: OptionName,
  valueOf: Given["valueOf"],
  choices: Readonly<Record<string, T>>,
): T {
  const word = valueOf(name);
  const choice = Object.hasOwn(choices, word) ? choices[word] : undefined;
  if (choice !== undefined) return choice;
  throw new SettingError(`${nameOf(name)} must be ${Object.keys(choices).join(" or ")}`);
}

/** What a service manager gives, else what the desktop's rules say (XDG Base Directory). */
function defaultStateDir(environment: Environment): string {
  const given = environment["STATE_DIRECTORY"]?.split(":")[0];
  if (given) return given;
  return join(environment["XDG_STATE_HOME"] || join(homedir(), ".local/state"), "waypost-agent");
}
