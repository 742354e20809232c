import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { NodeHistoryCharts } from "../components/node-history-charts.tsx";
import { RangeChoice } from "../components/range-choice.tsx";
import { Section } from "../components/section.tsx";
import { usePublicNodeHistory } from "./queries.ts";

/** How a node has been. */
export function NodeHistorySection({ id }: { id: string }) {
  const { t } = useTranslation("status");
  const [range, setRange] = useState<HistoryRange>("24h");
  const { data: history, error, refetch } = usePublicNodeHistory(id, range);
  return (
    <Section title={t("history.title")} actions={<RangeChoice range={range} onChange={setRange} />}>
      {history ? (
        <NodeHistoryCharts history={history} />
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <CardSkeleton height={420} />
      )}
    </Section>
  );
}
