import { Stack, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { pagePaths } from "../../shared/pages.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { useSystemInfo } from "../lib/system-info.ts";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import { AccountCard } from "./account-card.tsx";
import { judgeEmail } from "./account-rules.ts";
import { useAskForMail } from "./queries.ts";
import { useFlawWords } from "./use-flaw-words.ts";
import { Way } from "./way.tsx";

/** Asks for a mail to set a new password with. */
export function ForgotPasswordPage() {
  const { t } = useTranslation("accounts");
  const { data: info } = useSystemInfo();
  const ask = useAskForMail("forgot-password");
  const back = <Way to={pagePaths.signIn}>{t("forgot.back")}</Way>;
  return (
    <AccountCard title={t("forgot.title")} lead={t("forgot.lead")} otherWays={back}>
      {info?.smtp === false ? (
        <Text>{t("forgot.noMails")}</Text>
      ) : ask.isSuccess ? (
        <Text role="status">{t("forgot.sent")}</Text>
      ) : (
        <ForgotForm ask={ask} />
      )}
    </AccountCard>
  );
}

function ForgotForm({ ask }: { ask: ReturnType<typeof useAskForMail> }) {
  const { t } = useTranslation("accounts");
  const toFlaws = useFlawWords();
  const form = useCheckedForm({
    initialValues: { email: "" },
    check: ({ email }) => toFlaws({ email: judgeEmail(email) }),
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ email }) => ask.mutate(email.trim()), focusFirstError(form))}
    >
      <Stack>
        <FormErrors error={ask.error} />
        <TextInput
          label={t("fields.email")}
          type="email"
          required
          autoComplete="username"
          {...form.getInputProps("email")}
        />
        <SubmitButton isSending={ask.isPending}>{t("forgot.action")}</SubmitButton>
      </Stack>
    </form>
  );
}
