import { useTranslation } from "react-i18next";
import { Link, useParams } from "wouter";
import type { RunWithAttempts } from "../../shared/api/callbacks.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { KeyValue } from "../components/key-value.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Said } from "../components/said.tsx";
import { Section } from "../components/section.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useFormat } from "../lib/use-format.ts";
import { AttemptView } from "./attempt-view.tsx";
import { BodyText } from "./body-text.tsx";
import { useNextAttempt, useRun } from "./queries.ts";
import { RunActions } from "./run-actions.tsx";
import { RunStatusBadge } from "./run-status.tsx";
import classes from "./run-page.module.css";

/** One run: what it was to say, how it ended, and everything that was sent and answered. */
export function RunPage() {
  const { t } = useTranslation("callback-runs");
  const id = Number(useParams().id);
  useLiveQueries();
  const { data: run, error, refetch } = useRun(id);
  return (
    <>
      <PageHeader
        title={run ? t("runTitle", { id, task: run.task_name }) : t("run", { id })}
        back={{ href: pageAddress("callbackRuns"), label: t("title") }}
        actions={run && <RunActions run={run} />}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      {!run && !error && <CardSkeleton height={260} />}
      {run && <Outcome run={run} />}
      {run && <Attempts key={id} run={run} />}
    </>
  );
}

function Outcome({ run }: { run: RunWithAttempts }) {
  const { t } = useTranslation("callback-runs");
  const format = useFormat();
  const nextAttemptAt = useNextAttempt(run);
  const time = (at: string | null) =>
    at === null ? (
      "–"
    ) : (
      <>
        {format.dateTime(at)} · <TimeAgo at={at} />
      </>
    );
  const facts = [
    [
      t("task"),
      <Link key="t" href={pageAddress("callbackTask", run.task_id)}>
        {run.task_name}
      </Link>,
    ],
    [
      t("rule"),
      <Link key="r" href={pageAddress("stunRule", run.rule_id)}>
        {run.rule_name}
      </Link>,
    ],
    [
      t("account"),
      <Link key="a" href={pageAddress("callbackAccount", run.account_id)}>
        {run.account_name}
      </Link>,
    ],
    [t("trigger"), t(`triggers.${run.trigger}`)],
    [t("address"), <Mapping key="n" ip={run.public_ip} port={run.public_port} />],
    [t("previous"), <Mapping key="p" ip={run.previous_ip} port={run.previous_port} />],
    [t("httpStatus"), run.http_status ?? "–"],
    [t("created"), time(run.created_at)],
    [t("finished"), time(run.finished_at)],
    [t("duration"), run.duration_ms === null ? "–" : format.duration(run.duration_ms)],
  ] as const;
  return (
    <Section title={t("outcome")} actions={<RunStatusBadge status={run.status} />}>
      <p className={classes.means} aria-live="polite">
        {t(`means.${run.status}`)}{" "}
        {nextAttemptAt !== null &&
          t("next", { at: format.time(nextAttemptAt), number: run.attempt_count + 1 })}
      </p>
      {run.error !== null && (
        <p className={classes.error}>
          <Said sentence={run.error} />
        </p>
      )}
      <KeyValue facts={facts} />
      {run.response_body !== null && (
        <div className={classes.body}>
          <h3>{t("responseBody")}</h3>
          <BodyText text={run.response_body} label={t("responseBody")} />
        </div>
      )}
    </Section>
  );
}

/** May be broken before the port, where there is little room. */
function Mapping({ ip, port }: { ip: string | null; port: number | null }) {
  if (ip === null || port === null) return "–";
  return (
    <code className={classes.mapping}>
      {ip.includes(":") ? `[${ip}]` : ip}:<wbr />
      {port}
    </code>
  );
}

function Attempts({ run }: { run: RunWithAttempts }) {
  const { t } = useTranslation("callback-runs");
  return (
    <Section title={t("attempts")} lead={t("attemptsLead")}>
      {run.attempts.length === 0 && <p className={classes.means}>{t("noAttempts")}</p>}
      {run.attempts.toReversed().map((attempt, n) => (
        <AttemptView key={attempt.number} attempt={attempt} isOpen={n === 0} />
      ))}
    </Section>
  );
}
