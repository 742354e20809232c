import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { CallbackAccount } from "../../shared/api/callbacks.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { UserLinks } from "../components/user-links.tsx";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useCallbackAccounts, useTasks } from "./queries.ts";

/** The targets that tasks can tell, with their credentials. */
export function AccountsPage() {
  const { t } = useTranslation("callback-accounts");
  useLiveQueries();
  const { data: accounts, error, refetch } = useCallbackAccounts();
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={accounts?.length === 0 ? undefined : <NewAccountButton />}
      />
      {error && <ErrorNotice title={t("notLoaded")} error={error} onRetry={() => void refetch()} />}
      {!accounts && !error && <TableSkeleton rows={4} />}
      {accounts?.length === 0 && (
        <EmptyState title={t("empty.title")} action={<NewAccountButton />}>
          {t("empty.what")}
        </EmptyState>
      )}
      {accounts && accounts.length > 0 && <Accounts accounts={accounts} />}
    </>
  );
}

function NewAccountButton() {
  const { t } = useTranslation("callback-accounts");
  return (
    <Button
      component={Link}
      href={pageAddress("newCallbackAccount")}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t("create")}
    </Button>
  );
}

function Accounts({ accounts }: { accounts: readonly CallbackAccount[] }) {
  const { t } = useTranslation("callback-accounts");
  const { data: tasks = [] } = useTasks();
  const columns: Column<CallbackAccount>[] = [
    {
      key: "name",
      header: t("name"),
      isTitle: true,
      cell: ({ id, name }) => <Link href={pageAddress("callbackAccount", id)}>{name}</Link>,
    },
    { key: "type", header: t("type"), cell: ({ type }) => t(`types.${type}.name`) },
    {
      key: "used",
      header: t("usedBy"),
      cell: ({ id }) => (
        <UserLinks
          none={t("unused")}
          users={tasks
            .filter((task) => task.account_id === id)
            .map((task) => ({ name: task.name, href: pageAddress("callbackTask", task.id) }))}
        />
      ),
    },
    { key: "changed", header: t("changed"), cell: ({ updated_at: at }) => <TimeAgo at={at} /> },
  ];
  return (
    <DataTable caption={t("title")} columns={columns} rows={accounts} rowKey={({ id }) => id} />
  );
}
