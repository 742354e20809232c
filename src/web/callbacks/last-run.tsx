import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { TimeAgo } from "../components/time-ago.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useRuns } from "./queries.ts";
import classes from "./callbacks.module.css";
import { RunStatusBadge } from "./run-status.tsx";

/** How the newest run of a task stands, with the way to it. */
export function LastRun({ taskId }: { taskId: number }) {
  const { t } = useTranslation("callback-runs");
  const { data, isError } = useRuns({ task_id: taskId }, undefined, 1);
  if (isError) return <>{t("lastUnknown")}</>;
  if (!data) return <Skeleton height={18} width={90} display="inline-block" />;
  const [run] = data;
  if (!run) return <span className={classes.dimmed}>{t("never")}</span>;
  return (
    <Link href={pageAddress("callbackRun", run.id)} className={classes.lastRun}>
      <RunStatusBadge status={run.status} /> <TimeAgo at={run.finished_at ?? run.created_at} />
    </Link>
  );
}
