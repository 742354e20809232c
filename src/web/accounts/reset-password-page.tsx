import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { showFieldErrors } from "../lib/form-errors.ts";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import { AccountCard } from "./account-card.tsx";
import { judgeNewPassword } from "./account-rules.ts";
import { NewPasswordInput } from "./new-password-input.tsx";
import { NoToken } from "./no-token.tsx";
import { useResetPassword } from "./queries.ts";
import { useFlawWords } from "./use-flaw-words.ts";
import { Way } from "./way.tsx";

/** Where the link of the mail about a forgotten password leads. */
export function ResetPasswordPage() {
  const { t } = useTranslation("accounts");
  const [params] = useSearchParams();
  const [isDone, setDone] = useState(false);
  const token = params.get("token") ?? "";
  if (token === "") return <NoToken />;
  if (isDone) {
    return (
      <AccountCard title={t("reset.done")} lead={t("reset.doneLead")}>
        <Button component={Link} href={pagePaths.signIn} fullWidth>
          {t("signIn.action")}
        </Button>
      </AccountCard>
    );
  }
  return (
    <AccountCard
      title={t("reset.title")}
      lead={t("reset.lead")}
      otherWays={<Way to={pagePaths.forgotPassword}>{t("reset.another")}</Way>}
    >
      <ResetForm token={token} onDone={() => setDone(true)} />
    </AccountCard>
  );
}

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation("accounts");
  const toFlaws = useFlawWords();
  const reset = useResetPassword();
  const [error, setError] = useState<unknown>();
  const form = useCheckedForm({
    initialValues: { password: "" },
    check: ({ password }) => toFlaws({ password: judgeNewPassword(password) }),
  });
  const send = ({ password }: typeof form.values): void => {
    setError(undefined);
    reset.mutate(
      { token, password },
      {
        onSuccess: onDone,
        onError: (refusal) => setError(showFieldErrors(form, refusal, ["password"])),
      },
    );
  };
  return (
    <form noValidate onSubmit={form.onSubmit(send, focusFirstError(form))}>
      <Stack>
        <FormErrors error={error} />
        <NewPasswordInput {...form.getInputProps("password")} />
        <SubmitButton isSending={reset.isPending}>{t("reset.action")}</SubmitButton>
      </Stack>
    </form>
  );
}
