import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../components/status-badge.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useMyNode } from "./queries.ts";

const ASKED_MS = 3_000;

/** Waits for a node's first report, and says when it has come. */
export function FirstReport({ id }: { id: number }) {
  const { t } = useTranslation("my-nodes");
  const { data } = useMyNode(id, ASKED_MS);
  const at = data?.reported_at ?? null;
  return (
    <Group gap="sm" role="status">
      {at === null ? (
        <>
          <StatusBadge tone="busy">{t("waiting")}</StatusBadge>
          <Text size="sm" c="dimmed">
            {t("report.waitingHint")}
          </Text>
        </>
      ) : (
        <>
          <StatusBadge tone="good">{t("report.arrived")}</StatusBadge>
          <Text size="sm" c="dimmed">
            <TimeAgo at={at} />
          </Text>
        </>
      )}
    </Group>
  );
}
