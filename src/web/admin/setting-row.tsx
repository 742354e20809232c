import { useTranslation } from "react-i18next";
import type { AdminSetting } from "../../shared/api/admin.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { StatusBadge, type Tone } from "../components/status-badge.tsx";
import { InlineCode } from "./inline-code.tsx";
import classes from "./setting-row.module.css";

const sources = {
  environment: "environment",
  file: "file",
  ".env": "dotEnv",
  default: "default",
  generated: "generated",
} as const satisfies Record<AdminSetting["source"], string>;

const tones: Readonly<Record<AdminSetting["source"], Tone>> = {
  environment: "busy",
  file: "busy",
  ".env": "busy",
  default: "calm",
  generated: "good",
};

/** One setting: its variable, what it says now, and where that comes from. */
export function SettingRow({
  setting,
  description,
}: {
  setting: AdminSetting;
  description: string;
}) {
  const { t } = useTranslation("settings");
  const { name, source } = setting;
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <span className={classes.name}>
          <code>{name}</code>
          <CopyButton text={name} what={name} />
        </span>
        <StatusBadge tone={tones[source]}>{t(`sources.${sources[source]}`)}</StatusBadge>
      </div>
      <p className={classes.value}>
        <Value setting={setting} />
      </p>
      <p className={classes.description}>
        <InlineCode text={description} />
      </p>
    </li>
  );
}

function Value({ setting: { value, set, secret } }: { setting: AdminSetting }) {
  const { t } = useTranslation("settings");
  if (!set) return <span className={classes.none}>{t("notSet")}</span>;
  if (value === null) return <span className={classes.none}>{t("secretSet")}</span>;
  return (
    <>
      <code>{value}</code>
      {secret && <span className={classes.none}> {t("withoutSecret")}</span>}
    </>
  );
}
