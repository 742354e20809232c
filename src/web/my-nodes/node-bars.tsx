import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { LoadBar } from "../components/load-bar.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import classes from "./my-nodes.module.css";

const RENEWED_MS = 60_000;

interface BarProps {
  node: NodeDetails;
}

/** What the load of a node is measured against, Mbit/s; 0: nothing is known. */
export function bandwidthLimit(node: NodeDetails): number {
  return node.tier_bandwidth || node.max_bandwidth;
}

export function BandwidthBar({ node }: BarProps) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  return (
    <LoadBar
      label={t("bandwidth")}
      used={node.current_bandwidth}
      limit={bandwidthLimit(node)}
      format={(value) => format.bandwidth(value)}
      isCompact
    />
  );
}

export function ConnectionsBar({ node }: BarProps) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  return (
    <LoadBar
      label={t("connections")}
      used={node.connection_count}
      limit={node.max_connections}
      format={(value) => format.count(value)}
      isCompact
    />
  );
}

/** What is used of the quota, and when it starts again. */
export function QuotaBar({ node }: BarProps) {
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
        isCompact
      />
      <div className={classes.hint}>
        {limit > 0 ? t("quota", { limit: format.traffic(limit), when }) : t("period", { when })}
      </div>
    </div>
  );
}
