import { Button, PasswordInput } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { KeptSecret } from "../lib/config-fields.ts";
import classes from "./secret-field.module.css";

interface SecretFieldProps {
  label: string;
  description?: ReactNode;
  isRequired?: boolean;
  /** What is stored; undefined: nothing. */
  kept: KeptSecret | undefined;
  /** Of a form: value, error, onChange, onBlur. An empty value keeps what is stored. */
  input: object;
  /** Takes the stored one away; left out where it is required. */
  onRemove?: () => void;
}

/** A secret that can be written and not read. */
export function SecretField(props: SecretFieldProps) {
  const { label, description, isRequired = false, kept, input, onRemove } = props;
  const { t } = useTranslation("editing");
  const id = useId();
  const [isReplacing, setReplacing] = useState(false);
  if (kept?.set && !isReplacing) {
    return (
      <div role="group" aria-labelledby={id}>
        <div id={id} className={classes.label}>
          {label}
        </div>
        <div className={classes.kept}>
          <span>{t("secret.kept", { hint: kept.hint })}</span>
          <Button size="xs" variant="default" onClick={() => setReplacing(true)}>
            {t("secret.replace")}
          </Button>
          {onRemove && (
            <Button size="xs" variant="default" onClick={onRemove}>
              {t("secret.remove")}
            </Button>
          )}
        </div>
      </div>
    );
  }
  return (
    <PasswordInput
      label={label}
      description={kept?.set ? t("secret.emptyKeeps") : description}
      withAsterisk={isRequired && !kept?.set}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("secret.show") }}
      {...(kept?.set && { autoFocus: true })}
      {...input}
    />
  );
}
