import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { CopyField } from "../components/copy-field.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { FoundNodes } from "./found-nodes.tsx";
import { useFindNodes } from "./queries.ts";
import { readWish, toQuery, writeWish, type Wish } from "./wish.ts";
import { WishForm } from "./wish-form.tsx";

/** Asks the service which node to use now, as a client of the overlay does. */
export function FindPage() {
  const { t } = useTranslation("find");
  const [params, setParams] = useSearchParams();
  const wish = readWish(params);
  const [exclude, setExclude] = useState<readonly number[]>([]);
  const find = useFindNodes();
  const search = (next: Wish, without: readonly number[]): void => {
    setExclude(without);
    setParams(writeWish(next), { replace: true });
    find.mutate(toQuery(next, without));
  };
  const { data: nodes, error } = find;
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <Section title={t("wish.title")}>
        <WishForm initial={wish} isPending={find.isPending} onSearch={(next) => search(next, [])} />
      </Section>
      <div aria-live="polite">
        {error && <ErrorNotice error={error} onRetry={() => search(wish, exclude)} />}
        {nodes?.length === 0 && (
          <EmptyState title={t("none.title")}>
            {t(exclude.length > 0 ? "none.excluded" : "none.todo")}
          </EmptyState>
        )}
        {nodes && nodes.length > 0 && (
          <FoundNodes
            nodes={nodes}
            transport={wish.transport}
            isPending={find.isPending}
            onRefuse={(id) => search(wish, [...exclude, id])}
          />
        )}
      </div>
      <Section title={t("direct.title")} lead={t("direct.lead")}>
        <CopyField label={t("direct.label")} text={`${location.origin}/connect`} />
      </Section>
    </>
  );
}
