import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { passwordLimits } from "./account-rules.ts";

/** For a password that is being chosen. */
export function NewPasswordInput(props: PasswordInputProps) {
  const { t } = useTranslation("accounts");
  return (
    <PasswordInput
      label={t("fields.newPassword")}
      description={t("fields.newPasswordHint", passwordLimits)}
      required
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("fields.show") }}
      {...props}
    />
  );
}
