import { type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PasswordField } from "../components/password-field.tsx";
import { passwordLimits } from "./account-rules.ts";

/** For a password that is being chosen. */
export function NewPasswordInput(props: PasswordInputProps) {
  const { t } = useTranslation("accounts");
  return (
    <PasswordField
      label={t("fields.newPassword")}
      description={t("fields.newPasswordHint", passwordLimits)}
      required
      autoComplete="new-password"
      {...props}
    />
  );
}
