import { Stack, Textarea, TextInput } from "@mantine/core";
import { useRef, type FocusEvent } from "react";
import { useTranslation } from "react-i18next";
import { OneField } from "../components/config-fields.tsx";
import { Fold } from "../components/fold.tsx";
import { accountFields } from "./account-fields.ts";
import type { AccountFormState } from "./account-form.tsx";
import { TemplateNames } from "./template-names.tsx";
import { TemplatePreview } from "./template-preview.tsx";

interface WebhookFieldsProps {
  form: AccountFormState;
  stored: Readonly<Record<string, unknown>>;
}

const paths = {
  url: "config.url",
  headers: "config.headers",
  body: "config.body_template",
} as const;

/** Where a name is inserted: the place in the text that was edited last. */
interface Caret {
  path: string;
  start: number;
  end: number;
}

/** What is sent where, with a look at what it becomes. */
export function WebhookFields({ form, stored }: WebhookFieldsProps) {
  const { t } = useTranslation("callback-accounts");
  const caret = useRef<Caret>({ path: paths.body, start: 0, end: 0 });
  const { url, headers, method, body_template: body } = form.values.config;
  const isGet = method === "GET";
  const noteCaret = ({ target }: FocusEvent<HTMLElement>): void => {
    const path = target.dataset["path"];
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (!Object.values(paths).some((each) => each === path) || path === undefined) return;
    const end = target.value.length;
    caret.current = {
      path,
      start: target.selectionStart ?? end,
      end: target.selectionEnd ?? end,
    };
  };
  const insert = (text: string): void => {
    const { path, start, end } = caret.current;
    const before = textOf(form, path);
    form.setFieldValue(path, (before.slice(0, start) + text + before.slice(end)) as never);
    const after = start + text.length;
    caret.current = { path, start: after, end: after };
    requestAnimationFrame(() => {
      const node = form.getInputNode(path) as HTMLTextAreaElement | null;
      node?.focus();
      node?.setSelectionRange(after, after);
    });
  };
  const field = (name: string) => {
    const found = accountFields.webhook.find((each) => each.name === name);
    if (!found) throw new Error(`A webhook has no field ${name}`);
    return (
      <OneField
        form={form}
        field={found}
        stored={stored}
        label={(key) => t(`field.${key as "url"}`)}
        hint={(key) => t(`hint.webhook.${key as "method"}`)}
      />
    );
  };
  const isWrong = ["config.signing_secret", "config.success_contains"].some(
    (path) => form.errors[path] !== undefined,
  );
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
      {field("method")}
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
      <Fold title={t("moreWebhook")} isForcedOpen={isWrong} isPlain>
        <Stack>
          {field("signing_secret")}
          {field("success_contains")}
        </Stack>
      </Fold>
    </Stack>
  );
}

const mono = { input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.85rem" } };

function textOf(form: AccountFormState, path: string): string {
  const value = form.values.config[path.replace("config.", "")];
  return typeof value === "string" ? value : "";
}
