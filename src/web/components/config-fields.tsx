import { NativeSelect, Stack, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { keptSecret, type ConfigField } from "../lib/config-fields.ts";
import { Fold } from "./fold.tsx";
import { SecretField } from "./secret-field.tsx";

interface ConfigForm {
  values: { config: Readonly<Record<string, unknown>> };
  errors: Readonly<Record<string, unknown>>;
  getInputProps(path: string, options?: { type: "checkbox" }): object;
  setFieldValue(path: string, value: never): void;
}

interface ConfigFieldsProps {
  form: ConfigForm;
  fields: readonly ConfigField[];
  /** As the service shows it; nothing of a new account. */
  stored: Readonly<Record<string, unknown>>;
  label: (name: string) => string;
  hint: (name: string) => string;
}

/** The fields of an account's `config`, from a list. */
export function ConfigFields(props: ConfigFieldsProps) {
  const { fields, form } = props;
  const { t } = useTranslation("editing");
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced);
  const isWrong = advanced.some(({ name }) => form.errors[`config.${name}`] !== undefined);
  return (
    <Stack>
      {fields
        .filter(({ isAdvanced }) => !isAdvanced)
        .map((field) => (
          <OneField key={field.name} {...props} field={field} />
        ))}
      {advanced.length > 0 && (
        <Fold title={t("advanced")} isForcedOpen={isWrong} isPlain>
          <Stack>
            {advanced.map((field) => (
              <OneField key={field.name} {...props} field={field} />
            ))}
          </Stack>
        </Fold>
      )}
    </Stack>
  );
}

export function OneField(props: Omit<ConfigFieldsProps, "fields"> & { field: ConfigField }) {
  const { form, field, stored, label, hint } = props;
  const { name, kind, isRequired = false, example, choices = [] } = field;
  const path = `config.${name}`;
  const shared = { label: label(name), description: hint(name) };
  if (kind === "flag") {
    return <Switch {...shared} {...form.getInputProps(path, { type: "checkbox" })} />;
  }
  if (kind === "choice") {
    return <NativeSelect {...shared} data={[...choices]} {...form.getInputProps(path)} />;
  }
  const input = form.getInputProps(path);
  if (kind === "secret") {
    const isGone = form.values.config[name] === null;
    return (
      <SecretField
        {...shared}
        isRequired={isRequired}
        kept={isGone ? undefined : keptSecret(stored, name)}
        input={{ ...input, value: isGone ? "" : form.values.config[name] }}
        {...(!isRequired && { onRemove: () => form.setFieldValue(path, null as never) })}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      withAsterisk={isRequired}
      autoComplete="off"
      spellCheck={false}
      {...(example !== undefined && { placeholder: example })}
      {...input}
    />
  );
}
