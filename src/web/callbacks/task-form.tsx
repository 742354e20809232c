import { Button, Group, NativeSelect, Radio, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import {
  callbackLimits,
  triggers,
  type NewTask,
  type Trigger,
} from "../../shared/api/callbacks.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { onlyWrong, useFieldChecks } from "../lib/field-checks.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { useRules } from "../stun/queries.ts";
import { useCallbackAccounts } from "./queries.ts";

/** Ids are "" while nothing is chosen. */
export interface TaskValues {
  name: string;
  enabled: boolean;
  trigger: Trigger;
  stun_rule_id: string;
  account_id: string;
}

interface TaskFormProps<Answer> {
  initialValues: TaskValues;
  /** The word on the button. */
  action: string;
  send: (body: NewTask) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
}

/** Which changes of which rule go to which account. */
export function TaskForm<Answer>({ initialValues, action, send, onSaved }: TaskFormProps<Answer>) {
  const { t } = useTranslation("callback-tasks");
  const { t: common } = useTranslation();
  const checks = useFieldChecks();
  const { data: rules } = useRules();
  const { data: accounts } = useCallbackAccounts();
  const form = useCheckedForm<TaskValues>({
    initialValues,
    check: ({ name, stun_rule_id: rule, account_id: account }) =>
      onlyWrong({
        name: checks.required(name) ?? checks.atMost(name, callbackLimits.nameLength),
        stun_rule_id: checks.required(rule),
        account_id: checks.required(account),
      }),
  });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: Object.keys(initialValues),
    send: ({ stun_rule_id: rule, account_id: account, name, ...rest }) =>
      send({
        ...rest,
        name: name.trim(),
        stun_rule_id: Number(rule),
        account_id: Number(account),
      }),
    stale: "callbacks",
    onSaved,
  });
  return (
    <form noValidate onSubmit={save}>
      <UnsavedGuard isDirty={form.isDirty() && !isSaving} />
      <FormErrors error={refusal} title={t("refused")} />
      <Section title={t("form")}>
        <Stack gap="lg" maw="34rem">
          <TextInput
            label={t("name")}
            withAsterisk
            autoComplete="off"
            {...form.getInputProps("name")}
          />
          <Choice
            label={t("rule")}
            description={t("ruleHint")}
            things={rules}
            none={<Link href={pageAddress("newStunRule")}>{t("empty.rule")}</Link>}
            input={form.getInputProps("stun_rule_id")}
          />
          <TriggerField input={form.getInputProps("trigger")} />
          <Choice
            label={t("account")}
            description={t("accountHint")}
            things={accounts}
            none={<Link href={pageAddress("newCallbackAccount")}>{t("empty.account")}</Link>}
            input={form.getInputProps("account_id")}
          />
          <Switch
            label={t("enabled")}
            description={t("enabledHint")}
            {...form.getInputProps("enabled", { type: "checkbox" })}
          />
          <Group>
            <Button type="submit" loading={isSaving}>
              {action}
            </Button>
            <Button variant="default" component={Link} href={pageAddress("callbackTasks")}>
              {common("cancel")}
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}

function TriggerField({ input }: { input: object }) {
  const { t } = useTranslation("callback-tasks");
  return (
    <Radio.Group label={t("trigger")} {...input}>
      <Stack mt="xs" gap="xs">
        {triggers.map((trigger) => (
          <Radio
            key={trigger}
            value={trigger}
            label={t(`triggers.${trigger}`)}
            description={t(`triggerHints.${trigger}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface ChoiceProps {
  label: string;
  description: string;
  /** Undefined while they are on their way. */
  things: readonly { id: number; name: string }[] | undefined;
  /** Leads to where the first is made. */
  none: ReactNode;
  input: object;
}

function Choice({ label, description, things, none, input }: ChoiceProps) {
  const { t } = useTranslation("callback-tasks");
  return (
    <div>
      <NativeSelect
        label={label}
        description={description}
        withAsterisk
        data={[
          { value: "", label: t("choose") },
          ...(things ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...input}
      />
      {things?.length === 0 && (
        <Text size="sm" mt={4}>
          {none}
        </Text>
      )}
    </div>
  );
}
