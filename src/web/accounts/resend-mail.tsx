import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../components/error-notice.tsx";
import { useSystemInfo } from "../lib/system-info.ts";
import { useAskForMail } from "./queries.ts";

/** Sends the mail with the link once more, where mails are sent. */
export function ResendMail({ email }: { email: string }) {
  const { t } = useTranslation("accounts");
  const info = useSystemInfo();
  const resend = useAskForMail("resend-verification");
  if (info.data?.smtp !== true) return null;
  if (resend.isSuccess) {
    return (
      <Text size="sm" role="status">
        {t("mail.sent")}
      </Text>
    );
  }
  return (
    <>
      {resend.error && <ErrorNotice error={resend.error} />}
      <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate(email)}>
        {t("mail.again")}
      </Button>
    </>
  );
}
