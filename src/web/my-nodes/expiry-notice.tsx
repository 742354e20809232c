import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import { endOfDay, judgeValidity } from "./validity.ts";

const RENEWED_MS = 60_000;

/** Until when a node is valid, with urgency when that is soon or past. */
export function ExpiryNotice({ validUntil }: { validUntil: string | null }) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  const validity = judgeValidity(validUntil, now);
  if (validUntil === null || validity === "forever") return <>{t("validity.forever")}</>;
  const date = format.date(validUntil);
  if (validity === "valid") return <>{date}</>;
  const when = format.relative(endOfDay(validUntil), now);
  return (
    <Text span inherit fw={600} c={`var(--wp-${validity === "past" ? "bad" : "warn"})`}>
      {t(`validity.${validity}`, { date, when })}
    </Text>
  );
}
