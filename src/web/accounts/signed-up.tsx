import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { useSystemInfo } from "../lib/system-info.ts";
import { AccountCard } from "./account-card.tsx";
import { ResendMail } from "./resend-mail.tsx";

interface SignedUpProps {
  email: string;
  /** What the service has answered where it shows it. */
  token: string | undefined;
}

/** What is left to do after a registration: by the mail, or at once where none is sent. */
export function SignedUp({ email, token }: SignedUpProps) {
  const { t } = useTranslation("accounts");
  const { data: info } = useSystemInfo();
  if (!info) return <CardSkeleton />;
  if (!info.smtp && token !== undefined) {
    return (
      <AccountCard title={t("signedUp.title")} lead={t("signedUp.here", { email })}>
        <Button
          component={Link}
          href={`${pagePaths.verify}?token=${encodeURIComponent(token)}`}
          fullWidth
        >
          {t("signedUp.confirm")}
        </Button>
      </AccountCard>
    );
  }
  return (
    <AccountCard title={t("signedUp.title")} lead={t("signedUp.byMail", { email })}>
      <Stack>
        <Text>{t("signedUp.noMail")}</Text>
        <ResendMail email={email} />
      </Stack>
    </AccountCard>
  );
}
