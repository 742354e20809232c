import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { LoadBar } from "../components/load-bar.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";

const RENEWED_MS = 60_000;

interface BarProps {
  node: NodeDetails;
  /** Where a column's heading says what is measured. */
  isCompact?: boolean;
}

export function BandwidthBar({ node, isCompact = false }: BarProps) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  return (
    <LoadBar
      label={t("bandwidth")}
      used={node.current_bandwidth}
      limit={node.tier_bandwidth || node.max_bandwidth}
      format={(value) => format.bandwidth(value)}
      isCompact={isCompact}
    />
  );
}

export function ConnectionsBar({ node, isCompact = false }: BarProps) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  return (
    <LoadBar
      label={t("connections")}
      used={node.connection_count}
      limit={node.max_connections}
      format={(value) => format.count(value)}
      isCompact={isCompact}
    />
  );
}

/** What is used of the quota, and when it starts again. */
export function QuotaBar({ node, isCompact = false }: BarProps) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  const { used_traffic: used, max_traffic: limit } = node;
  const when = format.relative(node.reset_date, now);
  return (
    <div>
      <LoadBar
        label={t("traffic")}
        used={used}
        limit={limit}
        format={(value) => format.traffic(value)}
        isCompact={isCompact}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {limit > 0 ? t("quota", { limit: format.traffic(limit), when }) : t("period", { when })}
      </Text>
    </div>
  );
}
