import { useTranslation } from "react-i18next";
import type { Attempt } from "../../shared/api/callbacks.ts";
import { useFormat } from "../lib/use-format.ts";
import { BodyText } from "./body-text.tsx";
import classes from "./stage-view.module.css";

type Stage = Attempt["stages"][number];

/** One request and its answer. Everything from outside is text. */
export function StageView({ stage }: { stage: Stage }) {
  const { t } = useTranslation("callback-runs");
  const format = useFormat();
  const { method, url, status, request_headers: sent, response_headers: got } = stage;
  return (
    <section className={classes.stage}>
      <h3 className={classes.head}>
        <span className={classes.kind}>{t(`stage.${stage.stage}`)}</span>
        <code className={classes.line}>
          {method} {url}
        </code>
        <span className={classes.status}>
          {status === null ? t("noAnswer") : status} · {format.duration(stage.duration_ms)}
        </span>
      </h3>
      <div className={classes.pair}>
        <div>
          <h4>{t("request")}</h4>
          <Headers headers={sent} />
          {stage.request_body !== null && (
            <BodyText text={stage.request_body} label={t("requestBody")} />
          )}
        </div>
        <div>
          <h4>{t("response")}</h4>
          {got && <Headers headers={got} />}
          {stage.response_body === null ? (
            <p className={classes.none}>{t("noAnswerWhat")}</p>
          ) : (
            <BodyText
              text={stage.response_body}
              label={t("responseBody")}
              isTruncated={stage.truncated}
            />
          )}
        </div>
      </div>
    </section>
  );
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const { t } = useTranslation("callback-runs");
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details className={classes.headers}>
      <summary>{t("headers", { count: entries.length })}</summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}:</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
