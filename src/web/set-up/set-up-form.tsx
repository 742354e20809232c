import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { judgeEmail, judgeNewPassword, passwordLimits } from "../accounts/account-rules.ts";
import { NewPasswordInput } from "../accounts/new-password-input.tsx";
import { useFlawWords } from "../accounts/use-flaw-words.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { ApiError } from "../lib/api-error.ts";
import { useErrorWords } from "../lib/error-words.ts";
import { showFieldErrors } from "../lib/form-errors.ts";
import { judgeStrength } from "../lib/password-strength.ts";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import classes from "./set-up.module.css";
import { useSetUp } from "./use-set-up.ts";

interface SetUpValues {
  jwt_secret: string;
  email: string;
  password: string;
}

type Step = "secret" | "administrator";

/** Two steps: to prove that the system is one's own, then who will administer it. */
export function SetUpForm({ onInitialized }: { onInitialized: () => void }) {
  const { t } = useTranslation("set-up");
  const toWords = useErrorWords();
  const sayFlaws = useFlawWords();
  const [step, setStep] = useState<Step>("secret");
  const [error, setError] = useState<unknown>();
  const setUp = useSetUp();
  const form = useCheckedForm<SetUpValues>({
    initialValues: { jwt_secret: "", email: "", password: "" },
    check: ({ jwt_secret: secret, email, password }) => ({
      ...(secret.trim() === "" && { jwt_secret: t("secret.missing") }),
      ...sayFlaws({ email: judgeEmail(email), password: judgeNewPassword(password) }),
    }),
  });
  const fail = (refusal: unknown): void => {
    const code = refusal instanceof ApiError ? refusal.code : "";
    if (code === "already_initialized") {
      onInitialized();
    } else if (code === "wrong_setup_secret") {
      setStep("secret");
      form.setFieldError("jwt_secret", toWords(refusal));
    } else {
      setError(showFieldErrors(form, refusal, ["email", "password"]));
    }
  };
  const send = (values: SetUpValues): void => {
    setError(undefined);
    const input = { ...values, jwt_secret: values.jwt_secret.trim(), email: values.email.trim() };
    setUp.mutate(input, { onError: fail });
  };
  const goOn = (): void => {
    if (!form.validateField("jwt_secret").hasError) setStep("administrator");
  };
  return (
    <form
      noValidate
      className={classes.narrow}
      onSubmit={(event) => {
        if (step === "administrator") return form.onSubmit(send, focusFirstError(form))(event);
        event.preventDefault();
        return goOn();
      }}
    >
      <UnsavedGuard isDirty={form.isDirty() && !setUp.isPending && !setUp.isSuccess} />
      {step === "secret" ? (
        <SecretStep form={form} />
      ) : (
        <AdministratorStep form={form}>
          <FormErrors error={error} />
          <Group>
            <SubmitButton isSending={setUp.isPending}>{t("create")}</SubmitButton>
            <Button variant="default" onClick={() => setStep("secret")}>
              {t("back")}
            </Button>
          </Group>
        </AdministratorStep>
      )}
    </form>
  );
}

type Form = ReturnType<typeof useCheckedForm<SetUpValues>>;

function SecretStep({ form }: { form: Form }) {
  const { t } = useTranslation("set-up");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Section title={t("secret.title")} lead={t("secret.lead")}>
      <Stack>
        <ul className={classes.places}>
          {(["printed", "kept", "chosen"] as const).map((place) => (
            <li key={place}>
              <Trans t={t} i18nKey={`secret.${place}`} components={{ code: <Code /> }} />
            </li>
          ))}
        </ul>
        <PasswordField
          ref={field}
          label={t("secret.label")}
          required
          autoComplete="off"
          visibilityToggleButtonProps={{ "aria-label": t("show") }}
          {...form.getInputProps("jwt_secret")}
        />
        <Group>
          <SubmitButton isSending={false}>{t("next")}</SubmitButton>
        </Group>
      </Stack>
    </Section>
  );
}

function AdministratorStep({ form, children }: { form: Form; children: ReactNode }) {
  const { t } = useTranslation("set-up");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { password } = form.values;
  const isLongEnough = [...password].length >= passwordLimits.shortest;
  return (
    <Section title={t("administrator.title")} lead={t("administrator.lead")}>
      <Stack>
        <TextInput
          ref={field}
          type="email"
          label={t("administrator.email")}
          description={t("administrator.emailHint")}
          required
          autoComplete="username"
          {...form.getInputProps("email")}
        />
        <NewPasswordInput label={t("administrator.password")} {...form.getInputProps("password")} />
        {isLongEnough && (
          <Text size="sm" c="dimmed" role="status">
            {t(`strength.${judgeStrength(password)}`)}
          </Text>
        )}
        {children}
      </Stack>
    </Section>
  );
}
