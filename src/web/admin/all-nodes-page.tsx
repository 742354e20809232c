import { Button, NativeSelect, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { regionTypes, type AdminNode, type RegionType } from "../../shared/api/nodes.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { BandwidthBar } from "../my-nodes/node-bars.tsx";
import { OwnNodeStatus } from "../my-nodes/own-node-status.tsx";
import classes from "./admin.module.css";
import { MoreButton } from "./more-button.tsx";
import { useAllNodes } from "./queries.ts";
import { SwitchNode } from "./switch-node.tsx";
import { TextFilter } from "./text-filter.tsx";
import { useFilter } from "./use-filter.ts";

const statuses = ["online", "offline", "expired"] as const;
const names = ["search", "status", "region", "enabled"] as const;
const nothing = { search: "", status: "", region: "", enabled: "" };

/** The nodes of all owners, for administrators. */
export function AllNodesPage() {
  const { t } = useTranslation("admin");
  const [filter, setFilter] = useFilter(names);
  const isFiltered = names.some((name) => filter[name] !== "");
  const nodes = useAllNodes({
    search: filter.search.trim(),
    status: filter.status,
    ...(filter.region !== "" && { region: filter.region as RegionType }),
    ...(filter.enabled !== "" && { enabled: filter.enabled === "true" }),
  });
  return (
    <>
      <PageHeader title={t("nodes.title")} lead={t("nodes.lead")} />
      <NodeFilters filter={filter} onChange={setFilter} />
      {nodes.error && (
        <ErrorNotice
          title={t("nodes.failed")}
          error={nodes.error}
          onRetry={() => void nodes.refetch()}
        />
      )}
      {nodes.isPending && <TableSkeleton />}
      {nodes.data?.length === 0 &&
        (isFiltered ? (
          <EmptyState
            title={t("nodes.noneFound")}
            action={
              <Button variant="default" onClick={() => setFilter(nothing)}>
                {t("nodes.showAll")}
              </Button>
            }
          >
            {t("nodes.noneFoundHint")}
          </EmptyState>
        ) : (
          <EmptyState title={t("nodes.none")}>{t("nodes.noneHint")}</EmptyState>
        ))}
      {nodes.data !== undefined && nodes.data.length > 0 && <NodeTable nodes={nodes.data} />}
      <MoreButton list={nodes} />
    </>
  );
}

type Name = (typeof names)[number];

interface NodeFiltersProps {
  filter: Record<Name, string>;
  onChange: (change: Partial<Record<Name, string>>) => void;
}

function NodeFilters({ filter, onChange }: NodeFiltersProps) {
  const { t } = useTranslation("admin");
  const { t: node } = useTranslation("my-nodes");
  const { t: common } = useTranslation();
  return (
    <div className={classes.filters} role="search">
      <TextFilter
        label={t("nodes.search")}
        value={filter.search}
        onChange={(value) => onChange({ search: value })}
      />
      <NativeSelect
        label={t("nodes.status")}
        value={filter.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
        data={[
          { value: "", label: t("nodes.any") },
          ...statuses.map((value) => ({ value, label: common(`nodeStatus.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t("nodes.region")}
        value={filter.region}
        onChange={(event) => onChange({ region: event.currentTarget.value })}
        data={[
          { value: "", label: t("nodes.any") },
          ...regionTypes.map((value) => ({ value, label: node(`regions.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t("nodes.switch")}
        value={filter.enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.value })}
        data={[
          { value: "", label: t("nodes.any") },
          { value: "true", label: t("nodes.on") },
          { value: "false", label: t("nodes.off") },
        ]}
      />
    </div>
  );
}

function NodeTable({ nodes }: { nodes: readonly AdminNode[] }) {
  const { t } = useTranslation("admin");
  const { t: words } = useTranslation("my-nodes");
  const columns: Column<AdminNode>[] = [
    {
      key: "name",
      header: t("nodes.node"),
      isTitle: true,
      cell: (node) => (
        <>
          {node.node_name}
          <Text size="xs" c="dimmed" fw={400}>
            {[words(`regions.${node.region_type}`), node.region_detail].filter(Boolean).join(" · ")}
          </Text>
        </>
      ),
    },
    { key: "owner", header: t("nodes.owner"), cell: (node) => node.owner_email },
    {
      key: "status",
      header: t("nodes.status"),
      cell: (node) => <OwnNodeStatus node={node} />,
    },
    {
      key: "load",
      header: t("nodes.load"),
      cell: (node) => (
        <div className={classes.bar}>
          <BandwidthBar node={node} />
        </div>
      ),
    },
    {
      key: "report",
      header: t("nodes.lastReport"),
      cell: (node) => (node.reported_at ? <TimeAgo at={node.reported_at} /> : words("list.never")),
    },
    {
      key: "actions",
      header: t("nodes.switch"),
      isRight: true,
      cell: (node) => <SwitchNode node={node} />,
    },
  ];
  return (
    <DataTable caption={t("nodes.title")} columns={columns} rows={nodes} rowKey={({ id }) => id} />
  );
}
