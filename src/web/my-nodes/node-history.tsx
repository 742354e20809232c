import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { NodeHistoryCharts } from "../components/node-history-charts.tsx";
import { RangeChoice } from "../components/range-choice.tsx";
import { Section } from "../components/section.tsx";
import { useNodeHistory } from "./queries.ts";

/** How a node was: the last day, month or year. */
export function NodeHistorySection({ id }: { id: number }) {
  const { t } = useTranslation("my-nodes");
  const [range, setRange] = useState<HistoryRange>("24h");
  const history = useNodeHistory(id, range);
  return (
    <Section title={t("history.title")} actions={<RangeChoice range={range} onChange={setRange} />}>
      {history.error && !history.data && (
        <ErrorNotice
          title={t("history.failed")}
          error={history.error}
          onRetry={() => void history.refetch()}
        />
      )}
      {history.isPending && <CardSkeleton height={300} />}
      {history.data && <NodeHistoryCharts history={history.data} />}
    </Section>
  );
}
