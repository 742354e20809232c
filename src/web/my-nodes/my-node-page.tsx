import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useParams } from "wouter";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { pagePaths } from "../../shared/pages.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DeleteButton } from "../components/delete-button.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { NodeChecksSection } from "./node-checks.tsx";
import { NodeFacts } from "./node-facts.tsx";
import { NodeHistorySection } from "./node-history.tsx";
import { NodeMissing } from "./node-missing.tsx";
import { NodeNow } from "./node-now.tsx";
import { NodeNotices } from "./node-notices.tsx";
import { OwnNodeStatus } from "./own-node-status.tsx";
import { useMyNode } from "./queries.ts";
import { ReportingSection } from "./reporting-section.tsx";

/** One node of whoever is signed in: how it is, how it was, what it is. */
export function MyNodePage() {
  const { t } = useTranslation("my-nodes");
  const id = Number(useParams()["id"]);
  const { data: node, error, isPending, refetch } = useMyNode(id);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const actions = node && (
    <>
      <Button
        variant="default"
        component={Link}
        href={pageAddress("editNode", id)}
        leftSection={<IconPencil size={17} stroke={1.7} aria-hidden />}
      >
        {t("node.edit")}
      </Button>
      <DeleteButton
        label={t("delete.action")}
        name={node.node_name}
        path={`/api/nodes/${id}`}
        onRemoved={() => {
          navigate(pagePaths.myNodes, { replace: true });
          notify({ message: t("delete.done", { name: node.node_name }) });
        }}
      >
        {t("delete.what")}
      </DeleteButton>
    </>
  );
  return (
    <>
      <PageHeader
        title={node?.node_name ?? t("node.title")}
        {...(!error && { back: { href: pagePaths.myNodes, label: t("list.title") } })}
        lead={node && <OwnNodeStatus node={node} />}
        actions={actions}
      />
      {error && <NodeMissing error={error} onRetry={() => void refetch()} />}
      {isPending && <CardSkeleton height={180} />}
      {node && <NodeParts node={node} />}
    </>
  );
}

function NodeParts({ node }: { node: NodeDetails }) {
  return (
    <>
      <NodeNotices node={node} />
      <NodeNow node={node} />
      <NodeHistorySection id={node.id} />
      <NodeChecksSection node={node} />
      <ReportingSection node={node} />
      <NodeFacts node={node} />
    </>
  );
}
