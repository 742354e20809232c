import { Alert, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PasswordField } from "../components/password-field.tsx";
import { pagePaths } from "../../shared/pages.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { ApiError } from "../lib/api-error.ts";
import { useServices } from "../lib/services.tsx";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import { AccountCard } from "./account-card.tsx";
import { judgeEmail, judgeOldPassword } from "./account-rules.ts";
import { useSignIn } from "./queries.ts";
import { ResendMail } from "./resend-mail.tsx";
import { useFlawWords } from "./use-flaw-words.ts";
import { Way } from "./way.tsx";

/** Asks who is there, and says so when a session has expired. */
export function SignInCard() {
  const { t } = useTranslation("accounts");
  const { sessions } = useServices();
  const otherWays = (
    <>
      <Way to={pagePaths.forgotPassword}>{t("signIn.forgotten")}</Way>
      <Way to={pagePaths.signUp}>{t("signIn.noAccount")}</Way>
    </>
  );
  return (
    <AccountCard title={t("signIn.title")} otherWays={otherWays}>
      {sessions.end === "expired" && (
        <Alert mb="md" color="yellow" role="status">
          {t("signIn.expired")}
        </Alert>
      )}
      <SignInForm />
    </AccountCard>
  );
}

function SignInForm() {
  const { t } = useTranslation("accounts");
  const toFlaws = useFlawWords();
  const signIn = useSignIn();
  const form = useCheckedForm({
    initialValues: { email: "", password: "" },
    check: ({ email, password }) =>
      toFlaws({ email: judgeEmail(email), password: judgeOldPassword(password) }),
  });
  const { error } = signIn;
  const isUnverified = error instanceof ApiError && error.code === "email_not_verified";
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        ({ email, password }) => signIn.mutate({ email: email.trim(), password }),
        focusFirstError(form),
      )}
    >
      <Stack>
        <FormErrors error={error} />
        {isUnverified && <ResendMail email={form.values.email.trim()} />}
        <TextInput
          label={t("fields.email")}
          type="email"
          required
          autoComplete="username"
          {...form.getInputProps("email")}
        />
        <PasswordField
          label={t("fields.password")}
          required
          autoComplete="current-password"
          {...form.getInputProps("password")}
        />
        <SubmitButton isSending={signIn.isPending}>{t("signIn.action")}</SubmitButton>
      </Stack>
    </form>
  );
}
