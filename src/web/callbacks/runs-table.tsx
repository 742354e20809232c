import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Run } from "../../shared/api/callbacks.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { Said } from "../components/said.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useFormat } from "../lib/use-format.ts";
import { publicAddress } from "../stun/rule-status.tsx";
import classes from "./callbacks.module.css";
import { RunStatusBadge } from "./run-status.tsx";

/** A page of the history. */
export function RunsTable({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation("callback-runs");
  const format = useFormat();
  const columns: Column<Run>[] = [
    {
      key: "task",
      header: t("task"),
      isTitle: true,
      cell: ({ id, task_name: name, account_name: account }) => (
        <>
          <Link href={pageAddress("callbackRun", id)} className={classes.name}>
            {name}
          </Link>
          <div className={classes.small}>
            #{id} · {account}
          </div>
        </>
      ),
    },
    { key: "status", header: t("statusWord"), cell: (run) => <Status run={run} /> },
    {
      key: "address",
      header: t("address"),
      cell: (run) => (
        <>
          <code>{publicAddress(run)}</code>
          <div className={classes.small}>{run.rule_name}</div>
        </>
      ),
    },
    {
      key: "answer",
      header: t("http"),
      isRight: true,
      cell: ({ http_status: status }) => status ?? "–",
    },
    {
      key: "tries",
      header: t("tries"),
      isRight: true,
      cell: ({ attempt_count: count }) => format.count(count),
    },
    {
      key: "duration",
      header: t("duration"),
      isRight: true,
      cell: ({ duration_ms: ms }) => (
        <span className={classes.nowrap}>{ms === null ? "–" : format.duration(ms)}</span>
      ),
    },
    {
      key: "at",
      header: t("at"),
      cell: ({ created_at: at }) => (
        <span className={classes.nowrap}>
          <TimeAgo at={at} />
        </span>
      ),
    },
  ];
  return <DataTable caption={t("title")} columns={columns} rows={runs} rowKey={({ id }) => id} />;
}

function Status({ run: { status, error } }: { run: Run }) {
  return (
    <>
      <RunStatusBadge status={status} />
      {error !== null && (
        <div className={classes.small}>
          <Said sentence={error} />
        </div>
      )}
    </>
  );
}
