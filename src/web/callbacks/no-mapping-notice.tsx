import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { ApiError } from "../lib/api-error.ts";
import { pageAddress } from "../lib/page-address.ts";

/** Why a task cannot run now: mostly because its rule has no public address. */
export function NoMappingNotice({ error, ruleId }: { error: unknown; ruleId: number }) {
  const { t } = useTranslation("callback-tasks");
  if (!(error instanceof ApiError) || error.status !== 409) return <ErrorNotice error={error} />;
  return (
    <Alert color="red" variant="light" role="alert" title={t("run.conflict")} mt="sm">
      <p style={{ margin: 0 }}>{error.message}</p>
      <Link href={pageAddress("stunRule", ruleId)}>{t("run.toRule")}</Link>
    </Alert>
  );
}
