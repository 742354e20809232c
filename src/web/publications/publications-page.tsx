import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Publication } from "../../shared/api/publications.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useServiceWords } from "../lib/use-service-words.ts";
import { PublicationStatusBadge } from "./publication-status.tsx";
import classes from "./publications.module.css";
import { usePublications } from "./queries.ts";

/** The lists of nodes that are kept as DNS records. */
export function PublicationsPage() {
  const { t } = useTranslation("publications");
  const { data: publications, error, refetch } = usePublications();
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={publications?.length === 0 ? undefined : <NewPublicationButton />}
      />
      {error && <ErrorNotice title={t("notLoaded")} error={error} onRetry={() => void refetch()} />}
      {!publications && !error && <TableSkeleton rows={3} />}
      {publications?.length === 0 && (
        <EmptyState title={t("empty.title")} action={<NewPublicationButton />}>
          {t("empty.what")}
        </EmptyState>
      )}
      {publications && publications.length > 0 && <Publications publications={publications} />}
    </>
  );
}

function NewPublicationButton() {
  const { t } = useTranslation("publications");
  return (
    <Button
      component={Link}
      href={pageAddress("newPublication")}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t("create")}
    </Button>
  );
}

function Publications({ publications }: { publications: readonly Publication[] }) {
  const { t } = useTranslation("publications");
  const columns: Column<Publication>[] = [
    {
      key: "name",
      header: t("list"),
      isTitle: true,
      cell: ({ id, name, type }) => (
        <>
          <Link href={pageAddress("publication", id)}>{name}</Link>{" "}
          <span className={classes.type}>{type}</span>
        </>
      ),
    },
    { key: "state", header: t("state"), cell: (publication) => <State {...publication} /> },
    {
      key: "url",
      header: t("peerUrl"),
      cell: ({ peer_url: url }) => (
        <>
          <code className={classes.url}>{url}</code> <CopyButton text={url} what={t("peerUrl")} />
        </>
      ),
    },
    { key: "account", header: t("field.account"), cell: (each) => each.domain_account_name },
    {
      key: "change",
      header: t("lastChange"),
      cell: ({ state: { last_change_at: at } }) => (at === null ? "–" : <TimeAgo at={at} />),
    },
  ];
  return (
    <DataTable caption={t("title")} columns={columns} rows={publications} rowKey={({ id }) => id} />
  );
}

function State({ state, node_count: most }: Publication) {
  const { t } = useTranslation("publications");
  const say = useServiceWords();
  const { status, nodes, error } = state;
  return (
    <>
      <PublicationStatusBadge status={status} />
      {error !== null && <div className={classes.small}>{say(error).text}</div>}
      {error === null && nodes.length > 0 && (
        <div className={classes.small}>{t("countOf", { count: nodes.length, most })}</div>
      )}
    </>
  );
}
