import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { CallbackTask } from "../../shared/api/callbacks.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useRules } from "../stun/queries.ts";
import { LastRun } from "./last-run.tsx";
import { useCallbackAccounts, useTasks } from "./queries.ts";

/** Which changes go where, and how that ended last. */
export function TasksPage() {
  const { t } = useTranslation("callback-tasks");
  useLiveQueries();
  const { data: tasks, error, refetch } = useTasks();
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={tasks?.length === 0 ? undefined : <NewTaskButton />}
      />
      {error && <ErrorNotice title={t("notLoaded")} error={error} onRetry={() => void refetch()} />}
      {!tasks && !error && <TableSkeleton rows={4} />}
      {tasks?.length === 0 && <NoTasks />}
      {tasks && tasks.length > 0 && <Tasks tasks={tasks} />}
    </>
  );
}

function NewTaskButton() {
  const { t } = useTranslation("callback-tasks");
  return (
    <Button
      component={Link}
      href={pageAddress("newCallbackTask")}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t("create")}
    </Button>
  );
}

/** Leads to what is missing first: a rule, then an account, then the task. */
function NoTasks() {
  const { t } = useTranslation("callback-tasks");
  const { data: rules } = useRules();
  const { data: accounts } = useCallbackAccounts();
  const missing = rules?.length === 0 ? "rule" : accounts?.length === 0 ? "account" : undefined;
  const action =
    missing === undefined ? (
      <NewTaskButton />
    ) : (
      <Button
        component={Link}
        href={pageAddress(missing === "rule" ? "newStunRule" : "newCallbackAccount")}
      >
        {t(`empty.${missing}`)}
      </Button>
    );
  return (
    <EmptyState title={t("empty.title")} action={action}>
      {t("empty.what")}
    </EmptyState>
  );
}

function Tasks({ tasks }: { tasks: readonly CallbackTask[] }) {
  const { t } = useTranslation("callback-tasks");
  const { t: editing } = useTranslation("editing");
  const { data: rules = [] } = useRules();
  const { data: accounts = [] } = useCallbackAccounts();
  const columns: Column<CallbackTask>[] = [
    {
      key: "name",
      header: t("name"),
      isTitle: true,
      cell: ({ id, name }) => <Link href={pageAddress("callbackTask", id)}>{name}</Link>,
    },
    {
      key: "enabled",
      header: t("enabled"),
      cell: ({ enabled }) => (
        <StatusBadge tone={enabled ? "good" : "calm"}>
          {editing(enabled ? "state.on" : "state.off")}
        </StatusBadge>
      ),
    },
    {
      key: "rule",
      header: t("rule"),
      cell: ({ stun_rule_id: id }) => (
        <Link href={pageAddress("stunRule", id)}>
          {rules.find((rule) => rule.id === id)?.name ?? "…"}
        </Link>
      ),
    },
    { key: "trigger", header: t("trigger"), cell: ({ trigger }) => t(`triggers.${trigger}`) },
    {
      key: "account",
      header: t("account"),
      cell: ({ account_id: id }) => (
        <Link href={pageAddress("callbackAccount", id)}>
          {accounts.find((account) => account.id === id)?.name ?? "…"}
        </Link>
      ),
    },
    { key: "run", header: t("lastRun"), cell: ({ id }) => <LastRun taskId={id} /> },
  ];
  return <DataTable caption={t("title")} columns={columns} rows={tasks} rowKey={({ id }) => id} />;
}
