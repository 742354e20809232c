import { Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PasswordField } from "../components/password-field.tsx";
import { useNotify } from "../app/notices.tsx";
import { FormErrors } from "../components/form-errors.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { ApiError } from "../lib/api-error.ts";
import { useErrorWords } from "../lib/error-words.ts";
import { showFieldErrors } from "../lib/form-errors.ts";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import { judgeNewPassword, judgeOldPassword } from "./account-rules.ts";
import { NewPasswordInput } from "./new-password-input.tsx";
import { useChangePassword } from "./queries.ts";
import { useFlawWords } from "./use-flaw-words.ts";

const nothing = { current_password: "", new_password: "" };

/** Asks for the password that holds, and for the next. */
export function ChangePasswordForm({ email }: { email: string }) {
  const { t } = useTranslation("accounts");
  const toFlaws = useFlawWords();
  const toWords = useErrorWords();
  const notify = useNotify();
  const change = useChangePassword(email);
  const [error, setError] = useState<unknown>();
  const form = useCheckedForm({
    initialValues: nothing,
    check: (values) =>
      toFlaws({
        current_password: judgeOldPassword(values.current_password),
        new_password: judgeNewPassword(values.new_password),
      }),
  });
  const fail = (refusal: unknown): void => {
    if (refusal instanceof ApiError && refusal.code === "wrong_credentials") {
      form.setFieldError("current_password", toWords(refusal));
      form.getInputNode("current_password")?.focus();
    } else {
      setError(showFieldErrors(form, refusal, Object.keys(nothing)));
    }
  };
  const send = (values: typeof nothing): void => {
    setError(undefined);
    change.mutate(values, {
      onSuccess: () => {
        form.setValues(nothing);
        notify({ message: t("change.done") });
      },
      onError: fail,
    });
  };
  return (
    <form noValidate onSubmit={form.onSubmit(send, focusFirstError(form))}>
      <UnsavedGuard isDirty={form.isDirty() && !change.isPending} />
      <Stack maw="26rem">
        <FormErrors error={error} />
        <PasswordField
          label={t("change.current")}
          required
          autoComplete="current-password"
          {...form.getInputProps("current_password")}
        />
        <NewPasswordInput {...form.getInputProps("new_password")} />
        <Group>
          <SubmitButton isSending={change.isPending}>{t("change.action")}</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
