import { NativeSelect, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AdminUser } from "../../shared/api/admin.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { useSession } from "../lib/services.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./admin.module.css";
import { MoreButton } from "./more-button.tsx";
import { useUsers, type UserFilter } from "./queries.ts";
import { TextFilter } from "./text-filter.tsx";
import { useFilter } from "./use-filter.ts";
import { UserActions } from "./user-actions.tsx";

const states = ["administrators", "unverified", "disabled"] as const;
const filterOf: Readonly<Record<string, UserFilter>> = {
  administrators: { is_admin: true },
  unverified: { verified: false },
  disabled: { disabled: true },
};

/** Every account, for administrators. */
export function UsersPage() {
  const { t } = useTranslation("admin");
  const [filter, setFilter] = useFilter(["search", "state"]);
  const users = useUsers({
    search: filter.search.trim(),
    ...filterOf[filter.state],
  });
  return (
    <>
      <PageHeader title={t("users.title")} lead={t("users.lead")} />
      <div className={classes.filters} role="search">
        <TextFilter
          label={t("users.search")}
          value={filter.search}
          onChange={(value) => setFilter({ search: value })}
        />
        <NativeSelect
          label={t("users.show")}
          value={filter.state}
          onChange={(event) => setFilter({ state: event.currentTarget.value })}
          data={[
            { value: "", label: t("users.states.all") },
            ...states.map((value) => ({ value, label: t(`users.states.${value}`) })),
          ]}
        />
      </div>
      {users.error && (
        <ErrorNotice
          title={t("users.failed")}
          error={users.error}
          onRetry={() => void users.refetch()}
        />
      )}
      {users.isPending && <TableSkeleton />}
      {users.data?.length === 0 && (
        <EmptyState title={t("users.none")}>{t("users.noneHint")}</EmptyState>
      )}
      {users.data !== undefined && users.data.length > 0 && <UserTable users={users.data} />}
      <MoreButton list={users} />
    </>
  );
}

function UserTable({ users }: { users: readonly AdminUser[] }) {
  const { t } = useTranslation("admin");
  const format = useFormat();
  const me = useSession()?.email;
  const columns: Column<AdminUser>[] = [
    {
      key: "email",
      header: t("users.email"),
      isTitle: true,
      cell: ({ email, is_admin: isAdmin }) => (
        <>
          {email}
          {email === me && (
            <Text span inherit c="dimmed" fw={400}>
              {" "}
              {t("users.you")}
            </Text>
          )}
          {isAdmin && <div className={classes.second}>{t("users.isAdmin")}</div>}
        </>
      ),
    },
    { key: "state", header: t("users.state"), cell: (user) => <UserState user={user} /> },
    {
      key: "nodes",
      header: t("users.nodes"),
      isRight: true,
      cell: ({ node_count: count }) => format.count(count),
    },
    {
      key: "since",
      header: t("users.since"),
      cell: ({ created_at: at }) => (
        <time dateTime={at} title={format.dateTime(at)} className={classes.nowrap}>
          {format.date(at.slice(0, 10))}
        </time>
      ),
    },
    {
      key: "actions",
      header: t("users.actions"),
      isRight: true,
      cell: (user) => <UserActions user={user} />,
    },
  ];
  return (
    <DataTable caption={t("users.title")} columns={columns} rows={users} rowKey={({ id }) => id} />
  );
}

function UserState({ user: { disabled, verified } }: { user: AdminUser }) {
  const { t } = useTranslation("admin");
  if (disabled) return <StatusBadge tone="bad">{t("users.isDisabled")}</StatusBadge>;
  return verified ? (
    <StatusBadge tone="good">{t("users.isVerified")}</StatusBadge>
  ) : (
    <StatusBadge tone="warn">{t("users.isUnverified")}</StatusBadge>
  );
}
