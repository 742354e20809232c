import { useTranslation } from "react-i18next";
import type { RunStatus } from "../../shared/api/callbacks.ts";
import { StatusBadge, type Tone } from "../components/status-badge.tsx";

const tones: Readonly<Record<RunStatus, Tone>> = {
  queued: "busy",
  running: "busy",
  retrying: "warn",
  succeeded: "good",
  skipped: "calm",
  failed: "bad",
  superseded: "calm",
  cancelled: "calm",
};

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const { t } = useTranslation("callback-runs");
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>;
}
