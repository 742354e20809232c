import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { FirstReport } from "./first-report.tsx";
import { emptyNode, toNewNode } from "./form-values.ts";
import { NodeForm } from "./node-form.tsx";
import { useCreateNode } from "./queries.ts";
import { ReportingSteps } from "./reporting-steps.tsx";

interface Created {
  id: number;
  name: string;
  token: string;
}

/** Makes a node; then the same page shows its token, which exists nowhere else. */
export function NewNodePage() {
  const { t } = useTranslation("my-nodes");
  const create = useCreateNode();
  const [initialValues] = useState(emptyNode);
  const [created, setCreated] = useState<Created>();
  if (created) return <Done created={created} />;
  return (
    <>
      <PageHeader
        title={t("new.title")}
        lead={t("new.lead")}
        back={{ href: pagePaths.myNodes, label: t("list.title") }}
      />
      <NodeForm
        initialValues={initialValues}
        action={t("new.action")}
        back={pagePaths.myNodes}
        save={async (values) => {
          const { node_id: id, report_token: token } = await create.mutateAsync(toNewNode(values));
          setCreated({ id, token, name: values.node_name.trim() });
          scrollTo(0, 0);
        }}
      />
    </>
  );
}

function Done({ created: { id, name, token } }: { created: Created }) {
  const { t } = useTranslation("my-nodes");
  return (
    <>
      <PageHeader title={t("new.done", { name })} lead={t("new.doneLead")} />
      <Section title={t("report.title")} lead={t("report.lead")}>
        <ReportingSteps nodeName={name} token={token} />
      </Section>
      <Section title={t("report.waitTitle")}>
        <FirstReport id={id} />
        <Group mt="md">
          <Button component={Link} href={pageAddress("myNode", id)}>
            {t("new.toNode")}
          </Button>
          <Button variant="default" component={Link} href={pagePaths.myNodes}>
            {t("list.title")}
          </Button>
        </Group>
      </Section>
    </>
  );
}
