import { Button, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { AccountCard } from "./account-card.tsx";
import { useVerify } from "./queries.ts";
import { NoToken } from "./no-token.tsx";

/** Where the link of the first mail leads. It asks for a click: a mail program may look, too. */
export function VerifyPage() {
  const { t } = useTranslation("accounts");
  const [params] = useSearchParams();
  const token = params.get("token") ?? "";
  const verify = useVerify();
  if (token === "") return <NoToken />;
  if (verify.isSuccess) {
    return (
      <AccountCard title={t("verify.done")} lead={t("verify.doneLead")}>
        <Button component={Link} href={pagePaths.signIn} fullWidth>
          {t("signIn.action")}
        </Button>
      </AccountCard>
    );
  }
  return (
    <AccountCard title={t("verify.title")} lead={t("verify.lead")}>
      <Stack>
        {verify.error && <ErrorNotice error={verify.error} />}
        <Button loading={verify.isPending} onClick={() => verify.mutate(token)}>
          {t("verify.action")}
        </Button>
      </Stack>
    </AccountCard>
  );
}
