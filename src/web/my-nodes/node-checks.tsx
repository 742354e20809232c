import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ConnectionCheck, NodeChecks } from "../../shared/api/node-checks.ts";
import type { Connection, NodeDetails } from "../../shared/api/nodes.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { Said } from "../components/said.tsx";
import { Section } from "../components/section.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { writeEndpoint } from "./endpoint-text.ts";
import { useNodeChecks } from "./queries.ts";

interface Row {
  index: number;
  connection: Connection;
  check: ConnectionCheck | undefined;
  /** Why there is no check. */
  reason: string | undefined;
}

/** Where a node is reached, and whether the service itself could reach it there. */
export function NodeChecksSection({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  const { data, error } = useNodeChecks(node.id);
  const toWords = useErrorWords();
  const rows = node.connections.map((connection, index) => toRow(connection, index, data));
  const lead = !data
    ? undefined
    : data.enabled
      ? t("checks.lead", { count: Math.max(1, Math.round(data.interval_seconds / 60)) })
      : t("checks.off");
  return (
    <Section title={t("form.reached")} lead={error ? toWords(error) : lead}>
      {data?.enabled && !data.healthy && (
        <Text mb="sm" fw={600} c="var(--wp-bad)">
          {t("checks.unhealthy")}
        </Text>
      )}
      <CheckTable rows={rows} isChecked={data?.enabled === true} />
    </Section>
  );
}

function CheckTable({ rows, isChecked }: { rows: readonly Row[]; isChecked: boolean }) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const columns: Column<Row>[] = [
    {
      key: "connection",
      header: t("form.address"),
      isTitle: true,
      cell: ({ connection }) => <code>{writeEndpoint(connection)}</code>,
    },
  ];
  if (isChecked) {
    columns.push(
      { key: "state", header: t("checks.state"), cell: (row) => <State row={row} /> },
      {
        key: "latency",
        header: t("checks.latency"),
        isRight: true,
        cell: ({ check }) => (check?.is_online ? format.duration(check.latency_ms) : "–"),
      },
      {
        key: "day",
        header: t("checks.lastDay"),
        isRight: true,
        cell: ({ check }) =>
          check && check.last_24h.checks > 0
            ? format.share(check.last_24h.uptime_percent / 100)
            : "–",
      },
      {
        key: "time",
        header: t("checks.time"),
        cell: ({ check }) => (check ? <TimeAgo at={check.check_time} /> : "–"),
      },
    );
  }
  return (
    <DataTable
      caption={t("form.reached")}
      columns={columns}
      rows={rows}
      rowKey={({ index }) => index}
    />
  );
}

function State({ row: { check, reason } }: { row: Row }) {
  const { t } = useTranslation("my-nodes");
  if (!check) return reason === undefined ? <>{t("checks.notYet")}</> : <Said sentence={reason} />;
  return (
    <>
      <StatusBadge tone={check.is_online ? "good" : "bad"}>
        {t(check.is_online ? "checks.opens" : "checks.closed")}
      </StatusBadge>
      <Text size="xs" c="dimmed">
        {check.is_online
          ? check.handshake && t(`checks.handshakes.${check.handshake}`)
          : check.error !== undefined && <Said sentence={check.error} />}
      </Text>
    </>
  );
}

function toRow(connection: Connection, index: number, data: NodeChecks | undefined): Row {
  const isSame = (other: Connection): boolean => writeEndpoint(other) === writeEndpoint(connection);
  return {
    index,
    connection,
    check: data?.checks.find(isSame),
    reason: data?.not_checked.find(isSame)?.reason,
  };
}
