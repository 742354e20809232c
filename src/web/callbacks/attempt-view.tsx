import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Attempt } from "../../shared/api/callbacks.ts";
import { Said } from "../components/said.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./attempt-view.module.css";
import { useErrorClassWords } from "./error-class.ts";
import { StageView } from "./stage-view.tsx";

/** One try with its requests and answers. */
export function AttemptView({ attempt, isOpen: isFirst }: { attempt: Attempt; isOpen: boolean }) {
  const { t } = useTranslation("callback-runs");
  const format = useFormat();
  const toWords = useErrorClassWords();
  const [isOpen, setOpen] = useState(isFirst);
  const {
    number,
    stages,
    error_class: errorClass,
    error,
    started_at: at,
    duration_ms: ms,
  } = attempt;
  return (
    <details
      className={classes.attempt}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={classes.head}>
        <strong>{t("attempt", { number })}</strong>
        <StatusBadge tone={errorClass === null ? "good" : "bad"}>
          {t(errorClass === null ? "attemptOk" : "attemptFailed")}
        </StatusBadge>
        <span className={classes.when}>
          {format.dateTime(at)} · {format.duration(ms)}
        </span>
      </summary>
      {errorClass !== null && (
        <p className={classes.error}>
          {toWords(errorClass)} {error !== null && <Said sentence={error} />}
        </p>
      )}
      {stages.length === 0 && <p className={classes.none}>{t("noStages")}</p>}
      {stages.map((stage, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- stages have their place and no name
        <StageView key={n} stage={stage} />
      ))}
    </details>
  );
}
