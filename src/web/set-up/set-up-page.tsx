import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useSession } from "../lib/services.tsx";
import { useSystemInfo } from "../lib/system-info.ts";
import { SetUpForm } from "./set-up-form.tsx";

/** Makes the administrator of a fresh system. */
export function SetUpPage() {
  const { t } = useTranslation("set-up");
  const { data, error, isPending, refetch } = useSystemInfo();
  return (
    <>
      <PageHeader title={t("title")} lead={data?.initialized === false ? t("lead") : undefined} />
      {error && !data && (
        <ErrorNotice title={t("failed")} error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <CardSkeleton height={320} />}
      {data?.initialized === false && <SetUpForm onInitialized={() => void refetch()} />}
      {data?.initialized === true && <Already />}
    </>
  );
}

function Already() {
  const { t } = useTranslation("set-up");
  const isAdmin = useSession()?.isAdmin === true;
  const action = (
    <Button component={Link} href={isAdmin ? pagePaths.checklist : pagePaths.signIn}>
      {t(isAdmin ? "already.toAdmin" : "already.signIn")}
    </Button>
  );
  return (
    <EmptyState title={t("already.title")} action={action}>
      {t("already.hint")}
    </EmptyState>
  );
}
