import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { KeyValue } from "../components/key-value.tsx";
import { Section } from "../components/section.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useRotateToken } from "./queries.ts";
import { ReportingSteps } from "./reporting-steps.tsx";

/** What reports the node, and a new token for it. */
export function ReportingSection({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  const [isAsking, setAsking] = useState(false);
  const [token, setToken] = useState<string>();
  const rotate = useRotateToken(node.id);
  const ask = (): void => {
    rotate.reset();
    setAsking(true);
  };
  return (
    <Section
      title={t("report.title")}
      actions={
        <Button variant="default" size="xs" onClick={ask}>
          {t("rotate.open")}
        </Button>
      }
    >
      <KeyValue
        facts={[
          [
            t("list.lastReport"),
            node.reported_at ? <TimeAgo key="at" at={node.reported_at} /> : t("report.none"),
          ],
          [t("report.version"), node.version === "" ? t("report.noVersion") : node.version],
        ]}
      />
      {token !== undefined && (
        <Stack mt="md">
          <Text size="sm">{t("rotate.done")}</Text>
          <ReportingSteps nodeName={node.node_name} token={token} />
        </Stack>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t("rotate.title")}
        action={t("rotate.action")}
        isPending={rotate.isPending}
        error={rotate.error}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: (made) => {
              setToken(made.report_token);
              setAsking(false);
            },
          })
        }
      >
        {t("rotate.what")}
      </ConfirmDialog>
    </Section>
  );
}
