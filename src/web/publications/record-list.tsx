import { useTranslation } from "react-i18next";
import type { RecordSet } from "../../shared/api/publications.ts";
import classes from "./publications.module.css";

/** Record sets as a zone file has them. */
export function RecordList({ records }: { records: readonly RecordSet[] }) {
  const { t } = useTranslation("publications");
  return (
    <ul className={classes.records} aria-label={t("records")}>
      {records.map(({ name, type, values }) => (
        <li key={`${name} ${type}`}>
          <div className={classes.recordName}>
            <code>{name}</code> <span className={classes.type}>{type}</span>
          </div>
          {values.map((value) => (
            <code key={value} className={classes.value}>
              {value}
            </code>
          ))}
        </li>
      ))}
    </ul>
  );
}
