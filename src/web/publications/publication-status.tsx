import { useTranslation } from "react-i18next";
import type { PublicationStatus } from "../../shared/api/publications.ts";
import { StatusBadge, type Tone } from "../components/status-badge.tsx";

const tones: Readonly<Record<PublicationStatus, Tone>> = {
  pending: "busy",
  published: "good",
  stale: "warn",
  empty: "warn",
  failing: "bad",
  withdrawing: "busy",
  disabled: "calm",
  deleting: "busy",
};

export function PublicationStatusBadge({ status }: { status: PublicationStatus }) {
  const { t } = useTranslation("publications");
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>;
}
