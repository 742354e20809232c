import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { NodeStatus } from "../components/node-status.tsx";
import { StatusBadge } from "../components/status-badge.tsx";

/** How a node is, as its owner and administrators see it. Needs the words of my-nodes. */
export function OwnNodeStatus({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  if (!node.enabled) return <NodeStatus status="disabled" />;
  if (node.status === "offline" && node.reported_at === null) {
    return <StatusBadge tone="calm">{t("waiting")}</StatusBadge>;
  }
  return <NodeStatus status={node.status} />;
}
