import { useTranslation } from "react-i18next";
import { StatusBadge, type Tone } from "./status-badge.tsx";

const known = ["online", "offline", "expired", "disabled"] as const;
const tones: Readonly<Record<(typeof known)[number], Tone>> = {
  online: "good",
  offline: "bad",
  expired: "calm",
  disabled: "calm",
};

/** The state of a node; nodes may report words of their own. */
export function NodeStatus({ status }: { status: string }) {
  const { t } = useTranslation();
  const word = known.find((each) => each === status);
  return word ? (
    <StatusBadge tone={tones[word]}>{t(`nodeStatus.${word}`)}</StatusBadge>
  ) : (
    <StatusBadge tone="warn">{status}</StatusBadge>
  );
}
