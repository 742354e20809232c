import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { CopyField } from "../components/copy-field.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { FoundNodes, type FoundNode } from "./found-nodes.tsx";
import classes from "./found-nodes.module.css";
import { useFindNodes } from "./queries.ts";
import { readWish, toQuery, writeWish, type Wish } from "./wish.ts";
import { WishForm } from "./wish-form.tsx";

/** Asks the service which node to use now, as a client of the overlay does. */
export function FindPage() {
  const { t } = useTranslation("find");
  const [params, setParams] = useSearchParams();
  const wish = readWish(params);
  const [exclude, setExclude] = useState<readonly number[]>([]);
  // The last answer stays until the next is there.
  const [nodes, setNodes] = useState<readonly FoundNode[]>();
  const answer = useRef<HTMLDivElement>(null);
  const find = useFindNodes();
  const search = (next: Wish, without: readonly number[], onFound?: () => void): void => {
    setExclude(without);
    setParams(writeWish(next), { replace: true });
    find.mutate(toQuery(next, without), {
      onSuccess: (found) => {
        setNodes(found);
        onFound?.();
      },
    });
  };
  // The button that was pressed goes with its node.
  const refuse = (id: number): void =>
    search(wish, [...exclude, id], () => answer.current?.focus());
  const { error } = find;
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <Section title={t("wish.title")}>
        <WishForm initial={wish} isPending={find.isPending} onSearch={(next) => search(next, [])} />
      </Section>
      <div ref={answer} tabIndex={-1} aria-live="polite" className={classes.answer}>
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
            onRefuse={refuse}
          />
        )}
      </div>
      <Section title={t("direct.title")} lead={t("direct.lead")}>
        <CopyField label={t("direct.label")} text={`${location.origin}/connect`} />
      </Section>
    </>
  );
}
