import { useTranslation } from "react-i18next";
import classes from "./template-names.module.css";

const names = [
  "public_ip",
  "public_port",
  "public_address",
  "rule_name",
  "rule_id",
  "transport",
  "previous_ip",
  "previous_port",
  "event",
  "changed",
  "run_id",
  "timestamp",
  "ip4p",
] as const;

const filters = [
  ["json", "{{ rule_name | json }}"],
  ["url", "{{ rule_name | url }}"],
  ["base64", "{{ public_address | base64 }}"],
  ["default", '{{ previous_ip | default("none") }}'],
  ["raw", "{{ public_address | raw }}"],
] as const;

/** What a template can name; a click writes it where one was typing. */
export function TemplateNames({ insert }: { insert: (text: string) => void }) {
  const { t } = useTranslation("callback-accounts");
  return (
    <div className={classes.names}>
      <p className={classes.lead}>{t("template.names")}</p>
      <ul className={classes.list} aria-label={t("template.names")}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={classes.name}
              onClick={() => insert(`{{ ${name} }}`)}
              title={t(`template.name.${name}`)}
            >
              {name}
              <span className={classes.hidden}>: {t(`template.name.${name}`)}</span>
            </button>
          </li>
        ))}
      </ul>
      <details>
        <summary className={classes.lead}>{t("template.filters")}</summary>
        <dl className={classes.filters}>
          {filters.map(([name, example]) => (
            <div key={name}>
              <dt>
                <button type="button" className={classes.name} onClick={() => insert(example)}>
                  {example}
                </button>
              </dt>
              <dd>{t(`template.filter.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
