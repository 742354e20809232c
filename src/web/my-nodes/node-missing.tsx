import { Anchor, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { ErrorNotice } from "../components/error-notice.tsx";

/** Stands where a node should: it is gone, somebody else's, or could not be loaded. */
export function NodeMissing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation("my-nodes");
  return (
    <Stack>
      <ErrorNotice title={t("node.failed")} error={error} onRetry={onRetry} />
      <Anchor component={Link} href={pagePaths.myNodes}>
        {t("node.back")}
      </Anchor>
    </Stack>
  );
}
