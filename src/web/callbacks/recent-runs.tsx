import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Run } from "../../shared/api/callbacks.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { publicAddress } from "../stun/rule-status.tsx";
import classes from "./recent-runs.module.css";
import { useRuns } from "./queries.ts";
import { RunStatusBadge } from "./run-status.tsx";

const SHOWN = 5;

/** The newest runs of a task. */
export function RecentRuns({ taskId }: { taskId: number }) {
  const { t } = useTranslation("callback-runs");
  const { data: runs, error, refetch } = useRuns({ task_id: taskId }, undefined, SHOWN);
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Skeleton height={90} />}
      {runs?.length === 0 && <p className={classes.none}>{t("never")}</p>}
      {runs && runs.length > 0 && <RunList runs={runs} />}
    </>
  );
}

function RunList({ runs }: { runs: readonly Run[] }) {
  return (
    <ul className={classes.runs}>
      {runs.map((run) => (
        <li key={run.id}>
          <Link href={pageAddress("callbackRun", run.id)}>#{run.id}</Link>
          <RunStatusBadge status={run.status} />
          <code>{publicAddress(run)}</code>
          {run.http_status !== null && <span>HTTP {run.http_status}</span>}
          <span className={classes.when}>
            <TimeAgo at={run.created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
