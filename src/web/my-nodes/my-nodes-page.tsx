import { Anchor, Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { pagePaths } from "../../shared/pages.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { ExpiryNotice } from "./expiry-notice.tsx";
import classes from "./my-nodes.module.css";
import { BandwidthBar, QuotaBar } from "./node-bars.tsx";
import { OwnNodeStatus } from "./own-node-status.tsx";
import { useMyNodes } from "./queries.ts";

const PAGE_ROWS = 50;

/** The nodes of whoever is signed in. */
export function MyNodesPage() {
  const { t } = useTranslation("my-nodes");
  const nodes = useMyNodes();
  const [rows, setRows] = useState(PAGE_ROWS);
  const add = (
    <Button
      component={Link}
      href={pagePaths.newNode}
      leftSection={<IconPlus size={17} aria-hidden />}
    >
      {t("list.add")}
    </Button>
  );
  const hasNodes = nodes.data !== undefined && nodes.data.length > 0;
  return (
    <>
      <PageHeader title={t("list.title")} lead={t("list.lead")} actions={hasNodes && add} />
      {nodes.error && (
        <ErrorNotice
          title={t("list.failed")}
          error={nodes.error}
          onRetry={() => void nodes.refetch()}
        />
      )}
      {nodes.isPending && <TableSkeleton />}
      {nodes.data?.length === 0 && (
        <EmptyState title={t("list.none")} action={add}>
          {t("list.noneHint")}
        </EmptyState>
      )}
      {hasNodes && (
        <>
          <NodeTable nodes={nodes.data.slice(0, rows)} />
          {nodes.data.length > rows && (
            <Button variant="default" mt="md" onClick={() => setRows(rows + PAGE_ROWS * 2)}>
              {t("list.more", { count: nodes.data.length - rows })}
            </Button>
          )}
        </>
      )}
    </>
  );
}

function NodeTable({ nodes }: { nodes: readonly NodeDetails[] }) {
  const { t } = useTranslation("my-nodes");
  const columns: Column<NodeDetails>[] = [
    {
      key: "name",
      header: t("list.name"),
      isTitle: true,
      cell: (node) => (
        <>
          <Anchor component={Link} href={pageAddress("myNode", node.id)} inherit>
            {node.node_name}
          </Anchor>
          <Text size="xs" c="dimmed" fw={400}>
            {[t(`regions.${node.region_type}`), node.region_detail].filter(Boolean).join(" · ")}
          </Text>
        </>
      ),
    },
    {
      key: "status",
      header: t("list.status"),
      cell: (node) => <OwnNodeStatus node={node} />,
    },
    {
      key: "load",
      header: t("list.load"),
      cell: (node) => (
        <div className={classes.bar}>
          <BandwidthBar node={node} />
        </div>
      ),
    },
    {
      key: "quota",
      header: t("list.quota"),
      cell: (node) => (
        <div className={classes.quota}>
          <QuotaBar node={node} />
        </div>
      ),
    },
    {
      key: "validity",
      header: t("list.validUntil"),
      cell: (node) => <ExpiryNotice validUntil={node.valid_until} />,
    },
    {
      key: "report",
      header: t("list.lastReport"),
      cell: (node) => (node.reported_at ? <TimeAgo at={node.reported_at} /> : t("list.never")),
    },
  ];
  return (
    <DataTable caption={t("list.title")} columns={columns} rows={nodes} rowKey={({ id }) => id} />
  );
}
