import { useDebouncedValue } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { Redirect, useSearchParams } from "wouter";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Section } from "../components/section.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { isFiltered, pageOfList, readFilter, readPage, writeFilter } from "./node-filter.ts";
import { NodeFilters } from "./node-filters.tsx";
import { ListPaging, ListSummary } from "./list-paging.tsx";
import { NodeTable } from "./node-table.tsx";
import { NODES_PER_PAGE, usePublicNodes, usePublicTags } from "./queries.ts";

const TYPING_MS = 200;

/** The nodes, a page at a time, narrowed by what stands in the page's address. */
export function NodeList() {
  const { t } = useTranslation("status");
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const page = readPage(params);
  const [text] = useDebouncedValue(filter.text, TYPING_MS);
  const { data: list, error, refetch } = usePublicNodes({ ...filter, text }, page);
  const { data: tags = [] } = usePublicTags();
  const lastPage = Math.max(1, Math.ceil((list?.found ?? 0) / NODES_PER_PAGE));
  if (list && !error && page > lastPage)
    return <Redirect to={pageOfList(filter, lastPage)} replace />;
  return (
    <Section title={t("nodes.title")}>
      <NodeFilters
        filter={filter}
        tags={tags}
        onChange={(next) => setParams(writeFilter(next), { replace: true })}
      />
      {error && (
        <ErrorNotice error={error} title={t("nodes.failed")} onRetry={() => void refetch()} />
      )}
      {list ? (
        <>
          <ListSummary list={list} page={page} />
          {list.nodes.length > 0 ? (
            <NodeTable nodes={list.nodes} />
          ) : (
            <Nothing isFiltered={isFiltered(filter)} />
          )}
          <ListPaging page={page} lastPage={lastPage} toAddress={(to) => pageOfList(filter, to)} />
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
