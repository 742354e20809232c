import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagePaths } from "../../shared/pages.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { showFieldErrors } from "../lib/form-errors.ts";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import { AccountCard } from "./account-card.tsx";
import { judgeEmail, judgeNewPassword } from "./account-rules.ts";
import { NewPasswordInput } from "./new-password-input.tsx";
import { useSignUp } from "./queries.ts";
import { SignedUp } from "./signed-up.tsx";
import { useFlawWords } from "./use-flaw-words.ts";
import { Way } from "./way.tsx";

/** An account for whoever wants to add nodes. */
export function SignUpPage() {
  const { t } = useTranslation("accounts");
  const [done, setDone] = useState<{ email: string; token: string | undefined }>();
  if (done) return <SignedUp {...done} />;
  return (
    <AccountCard
      title={t("signUp.title")}
      lead={t("signUp.lead")}
      otherWays={<Way to={pagePaths.signIn}>{t("signUp.hasAccount")}</Way>}
    >
      <SignUpForm onDone={setDone} />
    </AccountCard>
  );
}

interface SignUpFormProps {
  onDone: (account: { email: string; token: string | undefined }) => void;
}

function SignUpForm({ onDone }: SignUpFormProps) {
  const { t } = useTranslation("accounts");
  const toFlaws = useFlawWords();
  const signUp = useSignUp();
  const [error, setError] = useState<unknown>();
  const form = useCheckedForm({
    initialValues: { email: "", password: "" },
    check: ({ email, password }) =>
      toFlaws({ email: judgeEmail(email), password: judgeNewPassword(password) }),
  });
  const send = (values: typeof form.values): void => {
    const input = { email: values.email.trim(), password: values.password };
    setError(undefined);
    signUp.mutate(input, {
      onSuccess: (answer) => onDone({ email: input.email, token: answer.verification_token }),
      onError: (refusal) => setError(showFieldErrors(form, refusal, ["email", "password"])),
    });
  };
  return (
    <form noValidate onSubmit={form.onSubmit(send, focusFirstError(form))}>
      <Stack>
        <FormErrors error={error} />
        <TextInput
          label={t("fields.email")}
          type="email"
          required
          autoComplete="username"
          {...form.getInputProps("email")}
        />
        <NewPasswordInput label={t("fields.password")} {...form.getInputProps("password")} />
        <SubmitButton isSending={signUp.isPending}>{t("signUp.action")}</SubmitButton>
      </Stack>
    </form>
  );
}
