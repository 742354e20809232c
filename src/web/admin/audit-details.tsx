import { useTranslation } from "react-i18next";
import classes from "./admin.module.css";
import { toDetailLines } from "./detail-lines.ts";

/** What an entry of the audit log says beside its subject. */
export function AuditDetails({ details }: { details: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation("admin");
  const lines = toDetailLines(details);
  if (lines.length === 0) return <>–</>;
  return (
    <ul className={classes.details}>
      {lines.map(({ name, value, before }) => (
        <li key={name}>
          {name === "changed" ? t("audit.changed") : <code>{name}</code>}
          {": "}
          {before === undefined ? value : t("audit.fromTo", { from: before, to: value })}
        </li>
      ))}
    </ul>
  );
}
