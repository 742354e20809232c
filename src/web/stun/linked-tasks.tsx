import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { CallbackTask } from "../../shared/api/callbacks.ts";
import type { Rule } from "../../shared/api/stun.ts";
import { LastRun } from "../callbacks/last-run.tsx";
import { useCallbackAccounts, useTasks } from "../callbacks/queries.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Section } from "../components/section.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { pageAddress } from "../lib/page-address.ts";
import classes from "./stun.module.css";

/** What a change of this rule starts, and how it ended last. */
export function LinkedTasks({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const { data, error, refetch } = useTasks();
  const tasks = data?.filter((task) => task.stun_rule_id === rule.id);
  const add = (
    <Button
      component={Link}
      href={pageAddress("newCallbackTask", undefined, { rule: rule.id })}
      size="xs"
      variant="default"
    >
      {t("tasks.new")}
    </Button>
  );
  return (
    <Section
      title={t("tasks.title")}
      lead={t("tasks.lead")}
      actions={tasks?.length ? add : undefined}
    >
      {!rule.trigger_callbacks && <p className={classes.means}>{t("tasks.switchedOff")}</p>}
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardSkeleton height={90} />}
      {tasks?.length === 0 && (
        <EmptyState title={t("tasks.none")} action={add}>
          {t("tasks.noneWhat")}
        </EmptyState>
      )}
      {tasks && tasks.length > 0 && <Tasks tasks={tasks} />}
    </Section>
  );
}

function Tasks({ tasks }: { tasks: readonly CallbackTask[] }) {
  const { t } = useTranslation("stun");
  const { t: editing } = useTranslation("editing");
  const { data: accounts } = useCallbackAccounts();
  const nameOf = (id: number): string => accounts?.find((each) => each.id === id)?.name ?? "…";
  const columns: Column<CallbackTask>[] = [
    {
      key: "name",
      header: t("tasks.task"),
      isTitle: true,
      cell: ({ id, name }) => <Link href={pageAddress("callbackTask", id)}>{name}</Link>,
    },
    {
      key: "enabled",
      header: t("tasks.enabled"),
      cell: ({ enabled }) => (
        <StatusBadge tone={enabled ? "good" : "calm"}>
          {editing(enabled ? "state.on" : "state.off")}
        </StatusBadge>
      ),
    },
    {
      key: "account",
      header: t("tasks.account"),
      cell: ({ account_id: id }) => (
        <Link href={pageAddress("callbackAccount", id)}>{nameOf(id)}</Link>
      ),
    },
    { key: "run", header: t("tasks.lastRun"), cell: ({ id }) => <LastRun taskId={id} /> },
  ];
  return (
    <DataTable caption={t("tasks.title")} columns={columns} rows={tasks} rowKey={(r) => r.id} />
  );
}
