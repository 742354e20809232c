import type { AdminSetting } from "../../shared/api/admin.ts";

export const settingGroups = [
  "service",
  "storage",
  "mail",
  "checks",
  "holes",
  "callbacks",
  "other",
] as const;
export type SettingGroup = (typeof settingGroups)[number];

const PREFIX = /^WAYPOST_/;

const groupOf: Readonly<Record<string, SettingGroup>> = {
  HOST: "service",
  PORT: "service",
  PUBLIC_URL: "service",
  TRUST_PROXY: "service",
  RATE_LIMIT: "service",
  DRAIN_SECONDS: "service",
  LOG_LEVEL: "service",
  INSTANCE: "service",
  METRICS_TOKEN: "service",
  DATA_DIR: "storage",
  DATABASE_URL: "storage",
  JWT_SECRET: "storage",
  SECRET_KEY: "storage",
  SMTP_URL: "mail",
  MAIL_FROM: "mail",
  EXPOSE_VERIFICATION_TOKEN: "mail",
  NOTICE_MAIL_TO: "mail",
  STUN_SERVERS: "holes",
  PORT_MAPPING: "holes",
  WEBHOOK_POLICY: "callbacks",
  CALLBACK_HISTORY_DAYS: "callbacks",
  CALLBACK_HISTORY_RUNS: "callbacks",
  NOTICE_WEBHOOK_URL: "callbacks",
};

/** What a setting is about; one that is not known here stands among the others. */
export function toGroup({ name }: Pick<AdminSetting, "name">): SettingGroup {
  const bare = name.replace(PREFIX, "");
  return groupOf[bare] ?? (bare.startsWith("CHECK_") ? "checks" : "other");
}

/** Those whose name, description or value holds what is searched. */
export function findSettings(
  settings: readonly AdminSetting[],
  search: string,
  describe: (setting: AdminSetting) => string,
): AdminSetting[] {
  const part = search.trim().toLowerCase();
  return settings.filter((setting) =>
    [setting.name, describe(setting), setting.value ?? ""].some((text) =>
      text.toLowerCase().includes(part),
    ),
  );
}
