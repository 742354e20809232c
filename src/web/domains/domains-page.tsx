import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { DomainAccount } from "../../shared/api/domains.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { UserLinks } from "../components/user-links.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useDomainAccounts } from "./queries.ts";
import { useDomainUsers } from "./use-domain-users.ts";

/** Accounts at providers of DNS records. */
export function DomainsPage() {
  const { t } = useTranslation("domains");
  const { data: accounts, error, refetch } = useDomainAccounts();
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={accounts?.length === 0 ? undefined : <NewDomainButton />}
      />
      {error && <ErrorNotice title={t("notLoaded")} error={error} onRetry={() => void refetch()} />}
      {!accounts && !error && <TableSkeleton rows={3} />}
      {accounts?.length === 0 && (
        <EmptyState title={t("empty.title")} action={<NewDomainButton />}>
          {t("empty.what")}
        </EmptyState>
      )}
      {accounts && accounts.length > 0 && <Domains accounts={accounts} />}
    </>
  );
}

function NewDomainButton() {
  const { t } = useTranslation("domains");
  return (
    <Button
      component={Link}
      href={pageAddress("newDomainAccount")}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t("create")}
    </Button>
  );
}

function Domains({ accounts }: { accounts: readonly DomainAccount[] }) {
  const { t } = useTranslation("domains");
  const usersOf = useDomainUsers();
  const columns: Column<DomainAccount>[] = [
    {
      key: "name",
      header: t("name"),
      isTitle: true,
      cell: ({ id, name }) => <Link href={pageAddress("domainAccount", id)}>{name}</Link>,
    },
    {
      key: "provider",
      header: t("provider"),
      cell: ({ provider }) => t(`providers.${provider}.name`),
    },
    {
      key: "used",
      header: t("usedBy"),
      cell: ({ id }) => <UserLinks users={usersOf(id)} none={t("unused")} />,
    },
    { key: "changed", header: t("changed"), cell: ({ updated_at: at }) => <TimeAgo at={at} /> },
  ];
  return (
    <DataTable caption={t("title")} columns={columns} rows={accounts} rowKey={({ id }) => id} />
  );
}
