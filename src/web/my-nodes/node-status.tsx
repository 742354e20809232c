import { useTranslation } from "react-i18next";
import { StatusBadge, type Tone } from "../components/status-badge.tsx";

const tones: Readonly<Record<string, Tone>> = { online: "good", offline: "bad", expired: "warn" };

interface NodeStatusProps {
  status: string;
  /** False while an administrator has switched it off. */
  enabled: boolean;
  reportedAt: string | null;
}

/** How a node is, as its owner and administrators see it. Needs the words of my-nodes. */
export function NodeStatus({ status, enabled, reportedAt }: NodeStatusProps) {
  const { t, i18n } = useTranslation("my-nodes");
  if (!enabled) return <StatusBadge tone="warn">{t("status.switchedOff")}</StatusBadge>;
  if (status === "offline" && reportedAt === null) {
    return <StatusBadge tone="calm">{t("status.waiting")}</StatusBadge>;
  }
  // Nodes may report any word; those without one of ours stay as they are.
  const key = `status.${status}`;
  const word = i18n.exists(key, { ns: "my-nodes" }) ? t(key as "status.online") : status;
  return <StatusBadge tone={tones[status] ?? "calm"}>{word}</StatusBadge>;
}
