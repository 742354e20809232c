import { readFileSync } from "node:fs";
import type { PolicyMode, Range } from "../../probe/target-policy.ts";
import {
  PREFIX,
  readCheckSettings,
  SettingError,
  toChoice,
  toRanges,
  type CheckSettings,
  type Read,
} from "../settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface NodeSettings extends CheckSettings {
  host: string;
  port: number;
  policy: "auto" | PolicyMode;
  /** Whose X-Forwarded-For is believed: nobody's, that of one proxy in front, or that of these. */
  trustProxy: boolean | readonly Range[];
}

/** @throws SettingError */
export function readNodeSettings(environment: Environment): NodeSettings {
  const read = (name: string) => environment[PREFIX + name]?.trim() ?? "";
  const readKey = (name: string) =>
    name === "CHECK_API_KEY" ? readSecret(environment, name) : read(name);
  return {
    ...readCheckSettings(readKey),
    host: read("HOST") || "127.0.0.1",
    port: toPort("PORT", read),
    policy: toChoice("CHECK_POLICY", read, { auto: "auto", public: "public", any: "any" }),
    trustProxy: toTrustProxy("TRUST_PROXY", read),
  };
}

/** The value itself, or what the file holds that is named by the setting with `_FILE`. */
function readSecret(environment: Environment, name: string): string {
  const file = environment[`${PREFIX}${name}_FILE`];
  if (!file) return environment[PREFIX + name]?.trim() ?? "";
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new SettingError(`${name}_FILE`, `cannot be read: ${code}`);
  }
}

function toPort(name: string, read: Read): number {
  const value = read(name) || "8080";
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65_535) return port;
  throw new SettingError(name, "must be a port from 0 to 65535");
}

function toTrustProxy(name: string, read: Read): boolean | Range[] {
  const value = read(name);
  return value === "" || value === "true" || value === "false"
    ? value === "true"
    : toRanges(name, read);
}
