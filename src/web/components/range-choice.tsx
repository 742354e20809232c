import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { ChoiceBar } from "./choice-bar.tsx";

const ranges: readonly HistoryRange[] = ["24h", "30d", "1y"];

interface RangeChoiceProps {
  range: HistoryRange;
  onChange: (range: HistoryRange) => void;
}

/** How far back a history goes. */
export function RangeChoice({ range, onChange }: RangeChoiceProps) {
  const { t } = useTranslation();
  return (
    <ChoiceBar
      label={t("range.label")}
      choices={ranges.map((value) => ({ value, label: t(`range.${value}`) }))}
      value={range}
      onChange={onChange}
    />
  );
}
