import { Button } from "@mantine/core";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Section } from "../components/section.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { useFormat } from "../lib/use-format.ts";
import { NodeFilters } from "./node-filters.tsx";
import { filterNodes, isFiltered, readFilter, tagsOf, writeFilter } from "./node-filter.ts";
import classes from "./node-list.module.css";
import { NodeTable } from "./node-table.tsx";
import { MOST_NODES, usePublicNodes } from "./queries.ts";

const PAGE_ROWS = 50;
const everyNode = { region: undefined, tag: undefined };
const TAGS_OFFERED = 200;

/** The nodes, narrowed by what stands in the page's address. */
export function NodeList() {
  const { t } = useTranslation("status");
  const format = useFormat();
  const [params, setParams] = useSearchParams();
  const [rows, setRows] = useState(PAGE_ROWS);
  const filter = readFilter(params);
  const whole = usePublicNodes(everyNode);
  const isCut = (whole.data?.length ?? 0) >= MOST_NODES;
  // A list that cannot be loaded whole is narrowed by the service.
  const narrowed = { region: filter.region || undefined, tag: filter.tag || undefined };
  const { data: nodes, error, refetch } = usePublicNodes(isCut ? narrowed : everyNode);
  const shown = useDeferredValue(nodes && filterNodes(nodes, filter));
  const tags = [...new Set(whole.data?.flatMap(tagsOf))].toSorted().slice(0, TAGS_OFFERED);
  return (
    <Section title={t("nodes.title")}>
      <NodeFilters
        filter={filter}
        tags={tags}
        onChange={(next) => {
          setRows(PAGE_ROWS);
          setParams(writeFilter(next), { replace: true });
        }}
      />
      {error && (
        <ErrorNotice error={error} title={t("nodes.failed")} onRetry={() => void refetch()} />
      )}
      {shown ? (
        <>
          <p className={classes.count} role="status">
            {t("nodes.count", { count: shown.length, number: format.count(shown.length) })}
            {isCut && ` ${t("nodes.cut", { number: format.count(MOST_NODES) })}`}
          </p>
          {shown.length > 0 ? (
            <NodeTable nodes={shown.slice(0, rows)} />
          ) : (
            <Nothing isFiltered={isFiltered(filter)} />
          )}
          {shown.length > rows && (
            <Button variant="default" mt="md" onClick={() => setRows(rows + PAGE_ROWS * 2)}>
              {t("nodes.more", { number: format.count(shown.length - rows) })}
            </Button>
          )}
        </>
      ) : (
        !error && <TableSkeleton />
      )}
    </Section>
  );
}

function Nothing({ isFiltered: narrowed }: { isFiltered: boolean }) {
  const { t } = useTranslation("status");
  return narrowed ? (
    <EmptyState title={t("nodes.noneFound")}>{t("nodes.noneFoundTodo")}</EmptyState>
  ) : (
    <EmptyState title={t("nodes.none")}>{t("nodes.noneTodo")}</EmptyState>
  );
}
