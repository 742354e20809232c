import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";
import type { Run } from "../../shared/api/callbacks.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { ExportRuns } from "./export-runs.tsx";
import { RUNS_PER_PAGE, useRuns } from "./queries.ts";
import { parseRunFilter, type RunFilter } from "./run-filter.ts";
import { RunFilters } from "./run-filters.tsx";
import { RunsTable } from "./runs-table.tsx";

/** What was tried, newest first; what is looked for stands in the address. */
export function RunsPage() {
  const { t } = useTranslation("callback-runs");
  useLiveQueries();
  const { before, ...filter } = parseRunFilter(useSearch());
  const { data: runs, error, refetch } = useRuns(filter, before);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const isBare = runs?.length === 0 && !isFiltered && before === undefined;
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={isBare ? undefined : <ExportRuns filter={filter} />}
      />
      {!isBare && <RunFilters filter={filter} />}
      {error && <ErrorNotice title={t("notLoaded")} error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <TableSkeleton rows={8} />}
      {runs?.length === 0 && <NoRuns isFiltered={isFiltered} isPast={before !== undefined} />}
      {runs && runs.length > 0 && <RunsTable runs={runs} />}
      {runs && <Paging runs={runs} filter={filter} before={before} />}
    </>
  );
}

function NoRuns({ isFiltered, isPast }: { isFiltered: boolean; isPast: boolean }) {
  const { t } = useTranslation("callback-runs");
  if (isPast) return <EmptyState title={t("none.past")} />;
  if (isFiltered) {
    const action = (
      <Button component={Link} href={pageAddress("callbackRuns")} variant="default">
        {t("filter.clear")}
      </Button>
    );
    return <EmptyState title={t("none.filtered")} action={action} />;
  }
  const action = (
    <Button component={Link} href={pageAddress("callbackTasks")}>
      {t("none.action")}
    </Button>
  );
  return (
    <EmptyState title={t("none.title")} action={action}>
      {t("none.what")}
    </EmptyState>
  );
}

interface PagingProps {
  runs: readonly Run[];
  filter: RunFilter;
  before: number | undefined;
}

function Paging({ runs, filter, before }: PagingProps) {
  const { t } = useTranslation("callback-runs");
  const last = runs.at(-1)?.id;
  const hasOlder = runs.length === RUNS_PER_PAGE && last !== undefined;
  if (before === undefined && !hasOlder) return null;
  const to = (id?: number): string =>
    pageAddress("callbackRuns", undefined, { ...filter, before: id });
  return (
    <Group mt="md" component="nav" aria-label={t("paging")}>
      {before !== undefined && (
        <Button component={Link} href={to()} variant="default">
          {t("newest")}
        </Button>
      )}
      {hasOlder && (
        <Button component={Link} href={to(last)} variant="default">
          {t("older")}
        </Button>
      )}
    </Group>
  );
}
