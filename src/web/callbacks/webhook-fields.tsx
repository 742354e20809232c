import { Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { OneField } from "../components/config-fields.tsx";
import { Fold } from "../components/fold.tsx";
import { accountFields } from "./account-fields.ts";
import type { AccountFormState } from "./account-form.tsx";
import { TemplateNames } from "./template-names.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { useInsertion } from "./use-insertion.ts";

interface WebhookFieldsProps {
  form: AccountFormState;
  stored: Readonly<Record<string, unknown>>;
}

const paths = {
  url: "config.url",
  headers: "config.headers",
  body: "config.body_template",
} as const;

/** What is sent where, with a look at what it becomes. */
export function WebhookFields({ form, stored }: WebhookFieldsProps) {
  const { t } = useTranslation("callback-accounts");
  const { noteCaret, insert } = useInsertion(form, [paths.body, paths.url, paths.headers]);
  const { url, headers, method, body_template: body } = form.values.config;
  const isGet = method === "GET";
  return (
    <Stack onBlur={noteCaret}>
      <TextInput
        label={t("field.url")}
        description={t("hint.webhook.url")}
        placeholder="https://example.com/hook"
        withAsterisk
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps(paths.url)}
      />
      <Plain form={form} stored={stored} name="method" />
      <Textarea
        label={t("field.headers")}
        description={t("hint.webhook.headers")}
        placeholder="Authorization: Bearer …"
        autosize
        minRows={2}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        styles={mono}
        {...form.getInputProps(paths.headers)}
      />
      {!isGet && (
        <Textarea
          label={t("field.body_template")}
          description={t("hint.webhook.body_template")}
          autosize
          minRows={4}
          maxRows={20}
          autoComplete="off"
          spellCheck={false}
          styles={mono}
          {...form.getInputProps(paths.body)}
        />
      )}
      <TemplateNames insert={insert} />
      <TemplatePreview
        url={String(url)}
        headers={String(headers)}
        body={isGet ? "" : String(body)}
      />
      <Judging form={form} stored={stored} />
    </Stack>
  );
}

const mono = { input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.85rem" } };

/** What few need: a signature, and what an answer must hold. */
function Judging({ form, stored }: WebhookFieldsProps) {
  const { t } = useTranslation("callback-accounts");
  const isWrong = ["config.signing_secret", "config.success_contains"].some(
    (path) => form.errors[path] !== undefined,
  );
  return (
    <Fold title={t("moreWebhook")} isForcedOpen={isWrong} isPlain>
      <Stack>
        <Plain form={form} stored={stored} name="signing_secret" />
        <Plain form={form} stored={stored} name="success_contains" />
      </Stack>
    </Fold>
  );
}

/** A field of the list that holds no names. */
function Plain({ form, stored, name }: WebhookFieldsProps & { name: string }) {
  const { t } = useTranslation("callback-accounts");
  const field = accountFields.webhook.find((each) => each.name === name);
  if (!field) throw new Error(`A webhook has no field ${name}`);
  return (
    <OneField
      form={form}
      field={field}
      stored={stored}
      label={(key) => t(`field.${key as "url"}`)}
      hint={(key) => t(`hint.webhook.${key as "method"}`)}
    />
  );
}
