import { useTranslation } from "react-i18next";
import type { AuditEntry } from "../../shared/api/admin.ts";
import classes from "./admin.module.css";
import { toDetailLines } from "./detail-lines.ts";
import { toLabelKey } from "./field-labels.ts";

/** What an entry of the audit log says beside its subject; fields are called as on their forms. */
export function AuditDetails({ action, details }: Pick<AuditEntry, "action" | "details">) {
  const { t, i18n } = useTranslation(["admin", "stun"]);
  const [noun = ""] = action.split(".");
  const labelOf = (field: string): string | undefined => {
    const key = toLabelKey(noun, field) ?? "";
    return i18n.exists(key as string) ? t(key as "stun:field.name") : undefined;
  };
  const lines = toDetailLines(details, (field) => labelOf(field) ?? field);
  if (lines.length === 0) return <>–</>;
  return (
    <ul className={classes.details}>
      {lines.map(({ name, value, before }) => (
        <li key={name}>
          {name === "changed" ? (
            t("audit.changed")
          ) : (
            <FieldName name={name} label={labelOf(name)} />
          )}
          {": "}
          {before === undefined ? value : t("audit.fromTo", { from: before, to: value })}
        </li>
      ))}
    </ul>
  );
}

function FieldName({ name, label }: { name: string; label: string | undefined }) {
  return label === undefined ? <code>{name}</code> : <span title={name}>{label}</span>;
}
