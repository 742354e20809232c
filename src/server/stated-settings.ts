import { readFileSync } from "node:fs";
import { ConfigError, PREFIX, settings, type Setting } from "./settings.ts";

/** Environment variables by their names. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What a setting is, and who says so. */
export interface StatedSetting {
  setting: Setting;
  /** As it was written, without the space around it; the fallback where nobody has written anything. */
  value: string;
  /** `file`: the one that the variable with `_FILE` names. */
  source: "environment" | ".env" | "file" | "default";
}

/**
 * Every setting, by its name without the prefix.
 * @param dotEnv what the environment itself overrides
 * @throws ConfigError when a file that a setting names cannot be read
 */
export function stateSettings(environment: Variables, dotEnv: Variables): StatedSettings {
  return new StatedSettings(settings.map((setting) => state(setting, environment, dotEnv)));
}

/** All settings in the order of their list. */
export class StatedSettings {
  readonly list: readonly StatedSetting[];

  constructor(list: readonly StatedSetting[]) {
    this.list = list;
  }

  valueOf(name: string): string {
    const stated = this.list.find(({ setting }) => setting.name === name);
    if (!stated) throw new Error(`${name} is missing in the list of settings`);
    return stated.value;
  }
}

function state(setting: Setting, environment: Variables, dotEnv: Variables): StatedSetting {
  const variables = { ...dotEnv, ...environment };
  const name = PREFIX + setting.name;
  const file = variables[`${name}_FILE`];
  if (setting.secret && file) {
    return { setting, value: readSecretFile(`${name}_FILE`, file), source: "file" };
  }
  const value = variables[name]?.trim() ?? "";
  if (value === "") return { setting, value: setting.fallback, source: "default" };
  return { setting, value, source: environment[name] === undefined ? ".env" : "environment" };
}

function readSecretFile(variable: string, file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${variable} cannot be read: ${code}`);
  }
}
