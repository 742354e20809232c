import { useTranslation } from "react-i18next";
import { useParams } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { NodeStatus } from "../components/node-status.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ApiError } from "../lib/api-error.ts";
import { NodeFacts } from "./node-facts.tsx";
import { NodeHistorySection } from "./node-history-section.tsx";
import { usePublicNode } from "./queries.ts";

/** One node, as everybody may see it. */
export function NodePage() {
  const { t } = useTranslation("status");
  const { id = "" } = useParams();
  const { data: node, error, refetch } = usePublicNode(id);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <PageHeader
        title={node?.node_name ?? t("node.loading", { id })}
        {...(node && { lead: <NodeStatus status={node.status} /> })}
        back={{ href: pagePaths.status, label: t("node.back") }}
      />
      {isGone ? (
        <EmptyState title={t("node.gone", { id })}>{t("node.goneTodo")}</EmptyState>
      ) : (
        <>
          {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
          {node ? <NodeFacts node={node} /> : !error && <CardSkeleton height={180} />}
          <NodeHistorySection id={id} />
        </>
      )}
    </>
  );
}
