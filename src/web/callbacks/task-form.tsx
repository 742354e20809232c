import { Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { callbackLimits } from "../../shared/api/callbacks.ts";
import { ChangedElsewhere } from "../components/changed-elsewhere.tsx";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { onlyWrong, useFieldChecks } from "../lib/field-checks.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { useRules } from "../stun/queries.ts";
import { useCallbackAccounts } from "./queries.ts";
import { ThingField, TriggerField } from "./task-fields.tsx";
import type { TaskValues } from "./task-values.ts";

interface TaskFormProps<Answer> {
  initialValues: TaskValues;
  /** The word on the button. */
  action: string;
  /** Of a task that somebody else has changed meanwhile. */
  loadAnew?: (() => void) | undefined;
  send: (values: TaskValues) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
}

/** Not so what an address named wrongly, or somebody has deleted: the field shows it as not chosen. */
function isThere(things: readonly { id: number }[] | undefined, id: string): boolean {
  return things === undefined || things.some((thing) => String(thing.id) === id);
}

/** Which changes of which rule go to which account. */
export function TaskForm<Answer>(props: TaskFormProps<Answer>) {
  const { initialValues, action, loadAnew, send, onSaved } = props;
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
        stun_rule_id: checks.required(isThere(rules, rule) ? rule : ""),
        account_id: checks.required(isThere(accounts, account) ? account : ""),
      }),
  });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: Object.keys(initialValues),
    send,
    stale: "callbacks",
    onSaved,
  });
  const isDirty = form.isDirty();
  return (
    <form noValidate onSubmit={save}>
      <UnsavedGuard isDirty={isDirty && !isSaving} />
      <ChangedElsewhere loadAnew={loadAnew} isDirty={isDirty} isSaving={isSaving} />
      <FormErrors error={refusal} title={t("refused")} />
      <Section title={t("form")}>
        <Stack gap="lg" maw="34rem">
          <TextInput
            label={t("name")}
            withAsterisk
            autoComplete="off"
            {...form.getInputProps("name")}
          />
          <ThingField
            label={t("rule")}
            description={t("ruleHint")}
            things={rules}
            none={<Link href={pageAddress("newStunRule")}>{t("empty.rule")}</Link>}
            input={form.getInputProps("stun_rule_id")}
          />
          <TriggerField input={form.getInputProps("trigger")} />
          <ThingField
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
            <SubmitButton isSending={isSaving}>{action}</SubmitButton>
            <Button variant="default" component={Link} href={pageAddress("callbackTasks")}>
              {common("cancel")}
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}
