import type { ReactNode } from "react";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { CardSkeleton } from "./card-skeleton.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { RangeChoice } from "./range-choice.tsx";
import { Section } from "./section.tsx";

interface HistorySectionProps<History> {
  title: string;
  /** What is said when it cannot be loaded. */
  failed?: string;
  /** What the charts take, px. */
  height: number;
  range: HistoryRange;
  onRange: (range: HistoryRange) => void;
  /** Of that range. */
  query: { data: History | undefined; error: Error | null; refetch: () => Promise<unknown> };
  children: (history: History) => ReactNode;
}

/** The last day, month or year of something. */
export function HistorySection<History>(props: HistorySectionProps<History>) {
  const { title, failed, height, range, onRange, query, children } = props;
  const { data: history, error, refetch } = query;
  return (
    <Section title={title} actions={<RangeChoice range={range} onChange={onRange} />}>
      {history ? (
        children(history)
      ) : error ? (
        <ErrorNotice
          error={error}
          onRetry={() => void refetch()}
          {...(failed !== undefined && { title: failed })}
        />
      ) : (
        <CardSkeleton height={height} />
      )}
    </Section>
  );
}
