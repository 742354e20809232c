import { useTranslation } from "react-i18next";
import { useLocation, useParams } from "wouter";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useBegun } from "../lib/use-begun.ts";
import { useFresh } from "../lib/use-fresh.ts";
import { ownSettingsOf, toFormValues, toNodeChange } from "./form-values.ts";
import { NodeForm } from "./node-form.tsx";
import { NodeMissing } from "./node-missing.tsx";
import { useChangeNode, useMyNode } from "./queries.ts";

/** Changes what the owner sets. */
export function EditNodePage() {
  const { t } = useTranslation("my-nodes");
  const id = Number(useParams()["id"]);
  const query = useMyNode(id);
  const { error, refetch } = query;
  const node = useFresh(query);
  return (
    <>
      <PageHeader
        title={t("edit.title", { name: node?.node_name ?? "…" })}
        lead={t("edit.lead")}
        {...(node && { back: { href: pageAddress("myNode", node.id), label: node.node_name } })}
      />
      {error && <NodeMissing error={error} onRetry={() => void refetch()} />}
      {!node && !error && <CardSkeleton height={400} />}
      {node && <EditForm node={node} />}
    </>
  );
}

function EditForm({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  const [, navigate] = useLocation();
  const notify = useNotify();
  const change = useChangeNode(node.id);
  // What the node reports meanwhile does not change what one is typing.
  const { begun, round, loadAnew } = useBegun(node, ownSettingsOf);
  const initialValues = toFormValues(begun);
  return (
    <NodeForm
      key={round}
      initialValues={initialValues}
      action={t("edit.action")}
      back={pageAddress("myNode", node.id)}
      loadAnew={loadAnew}
      save={async (values) => {
        const changes = toNodeChange(initialValues, values);
        if (Object.keys(changes).length > 0) await change.mutateAsync(changes);
        notify({ message: t("edit.done", { name: values.node_name.trim() }) });
        navigate(pageAddress("myNode", node.id));
      }}
    />
  );
}
