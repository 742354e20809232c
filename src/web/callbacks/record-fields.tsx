import { ActionIcon, NativeSelect, NumberInput, Switch, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { recordTypes } from "../../shared/api/domains.ts";
import { UnitInput } from "../components/unit-input.tsx";
import type { AccountFormState } from "./account-form.tsx";
import { recordFields } from "./record-values.ts";
import classes from "./record-fields.module.css";

interface RecordFieldsProps {
  form: AccountFormState;
  index: number;
  /** Left out where it is the only one. */
  onRemove?: () => void;
}

/** A record with the fields of its type. */
export function RecordFields({ form, index, onRemove }: RecordFieldsProps) {
  const { t } = useTranslation("callback-accounts");
  const record = form.values.config.records[index];
  if (!record) return null;
  const { type } = record;
  const path = `config.records.${index}`;
  const title = t("record.title", { number: index + 1 });
  return (
    <fieldset className={classes.record}>
      <legend className={classes.legend}>{title}</legend>
      <p className={classes.what}>{t(`record.what.${type}`)}</p>
      {onRemove && (
        <ActionIcon
          className={classes.remove ?? ""}
          variant="subtle"
          color="gray"
          onClick={onRemove}
          aria-label={t("record.remove", { title })}
          title={t("record.remove", { title })}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      )}
      <div className={classes.fields}>
        <NativeSelect
          label={t("record.type")}
          data={[...recordTypes]}
          {...form.getInputProps(`${path}.type`)}
        />
        <TextInput
          className={classes.wide ?? ""}
          label={t("record.name")}
          placeholder={type === "SRV" ? "_minecraft._tcp.example.com" : "home.example.com"}
          withAsterisk
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps(`${path}.name`)}
        />
        <UnitInput
          label={t("record.ttl")}
          unit={t("record.seconds")}
          placeholder={t("record.kept")}
          allowDecimal={false}
          {...form.getInputProps(`${path}.ttl`)}
        />
        {recordFields[type].map((field) => (
          <TypeField key={field} form={form} path={path} type={type} field={field} />
        ))}
      </div>
    </fieldset>
  );
}

interface TypeFieldProps {
  form: AccountFormState;
  path: string;
  type: keyof typeof recordFields;
  field: (typeof recordFields)["SRV"][number];
}

function TypeField({ form, path, type, field }: TypeFieldProps) {
  const { t } = useTranslation("callback-accounts");
  const at = `${path}.${field}`;
  if (field === "ip4p") {
    return (
      <Switch
        className={classes.full ?? ""}
        label={t("record.ip4p")}
        description={t("record.ip4pHint")}
        {...form.getInputProps(at, { type: "checkbox" })}
      />
    );
  }
  if (field === "priority" || field === "weight") {
    return (
      <NumberInput
        label={t(`record.${field}`)}
        placeholder={t("record.kept")}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps(at)}
      />
    );
  }
  const example = {
    target: type === "SRV" ? "home.example.com" : ".",
    alpn: "h2, h3",
    template: "{{public_ip}}:{{public_port}}",
  }[field];
  return (
    <TextInput
      className={(field === "template" ? classes.full : classes.wide) ?? ""}
      label={t(`record.${field}`)}
      description={t(`record.${field}Hint`)}
      placeholder={example}
      withAsterisk={field === "target" && type === "SRV"}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps(at)}
    />
  );
}
