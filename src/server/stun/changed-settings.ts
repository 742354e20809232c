import type { RuleSettings } from "./rule.ts";

type SettingName = keyof RuleSettings;

/** What a hole is bound by, and who binds it. */
const rebinding: readonly SettingName[] = [
  "enabled",
  "transport",
  "localAddress",
  "localPort",
  "instance",
];
const repicking: readonly SettingName[] = ["transport", "localAddress", "localPort"];

export function namesOfChanges(before: RuleSettings, after: RuleSettings): SettingName[] {
  const names = Object.keys(after) as SettingName[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Whether the hole must be opened anew. */
export function rebinds(changed: readonly SettingName[]): boolean {
  return changed.some((name) => rebinding.includes(name));
}

/** Whether a port that was picked is picked again. */
export function repicks(changed: readonly SettingName[]): boolean {
  return changed.some((name) => repicking.includes(name));
}

/** `localPort` → `local_port`. */
export function toWireName(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
