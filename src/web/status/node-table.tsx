import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PublicNode } from "../../shared/api/public.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { LoadBar } from "../components/load-bar.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useFormat } from "../lib/use-format.ts";
import { tagsOf } from "./node-filter.ts";
import classes from "./node-table.module.css";
import { NodeStatus } from "../components/node-status.tsx";

/** Nodes with how busy they are. */
export function NodeTable({ nodes }: { nodes: readonly PublicNode[] }) {
  const { t } = useTranslation("status");
  const format = useFormat();
  const columns: Column<PublicNode>[] = [
    { key: "name", header: t("node.name"), isTitle: true, cell: (node) => <Name node={node} /> },
    {
      key: "status",
      header: t("node.status"),
      cell: ({ status }) => <NodeStatus status={status} />,
    },
    {
      key: "bandwidth",
      header: t("node.bandwidth"),
      cell: ({ current_bandwidth: used, max_bandwidth: limit }) => (
        <Bar
          label={t("node.bandwidth")}
          used={used}
          limit={limit}
          format={(value) => format.bandwidth(value)}
        />
      ),
    },
    {
      key: "traffic",
      header: t("node.traffic"),
      cell: ({ used_traffic: used, max_traffic: limit }) => (
        <Bar
          label={t("node.traffic")}
          used={used}
          limit={limit}
          format={(value) => format.traffic(value)}
        />
      ),
    },
    {
      key: "connections",
      header: t("node.connections"),
      cell: ({ connection_count: used, max_connections: limit }) => (
        <Bar
          label={t("node.connections")}
          used={used}
          limit={limit}
          format={(value) => format.count(value)}
        />
      ),
    },
  ];
  return (
    <DataTable caption={t("nodes.title")} columns={columns} rows={nodes} rowKey={({ id }) => id} />
  );
}

function Bar(props: Parameters<typeof LoadBar>[0]) {
  return (
    <div className={classes.bar}>
      <LoadBar {...props} isCompact />
    </div>
  );
}

function Name({ node }: { node: PublicNode }) {
  const { t } = useTranslation("status");
  const place = [t(`regions.${node.region_type}`), node.region_detail].filter(Boolean).join(" · ");
  return (
    <span className={classes.name}>
      <Link href={pageAddress("node", node.id)} className={classes.link}>
        {node.node_name}
      </Link>
      <span className={classes.tags}>
        <i>{place}</i>
        {node.allow_relay === 1 && <span className={classes.relay}>{t("node.relay")}</span>}
        {tagsOf(node).map((tag) => (
          <span key={tag}>{tag}</span>
        ))}
      </span>
    </span>
  );
}
