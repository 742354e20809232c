import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A field for a password, which says that it is wrong to those who do not see it, too. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const isWrong = props.error !== undefined && props.error !== null && props.error !== false;
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
      {...(isWrong && { "aria-invalid": true })}
      {...props}
    />
  );
}
