import { Button, Group, Radio, Stack, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { HoleTransport } from "../../shared/api/stun.ts";
import { ChangedElsewhere } from "../components/changed-elsewhere.tsx";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { useFieldChecks } from "../lib/field-checks.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { AdvancedFields } from "./advanced-fields.tsx";
import { ForwardFields } from "./forward-fields.tsx";
import { judgeRule, type RuleValues } from "./rule-values.ts";

interface RuleFormProps<Answer> {
  initialValues: RuleValues;
  /** The word on the button. */
  action: string;
  /** Where "Cancel" leads. */
  back: string;
  /** Of a rule that somebody else has changed meanwhile. */
  loadAnew?: (() => void) | undefined;
  send: (values: RuleValues) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
}

export type RuleFormState = ReturnType<typeof useCheckedForm<RuleValues>>;

/** Everything that can be decided about a rule. */
export function RuleForm<Answer>(props: RuleFormProps<Answer>) {
  const { initialValues, action, back, loadAnew, send, onSaved } = props;
  const { t } = useTranslation("stun");
  const { t: common } = useTranslation();
  const checks = useFieldChecks();
  const form = useCheckedForm<RuleValues>({
    initialValues,
    check: (values) => judgeRule(values, checks),
  });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: Object.keys(initialValues),
    send,
    stale: "stun",
    onSaved,
  });
  const isDirty = form.isDirty();
  return (
    <form noValidate onSubmit={save}>
      <UnsavedGuard isDirty={isDirty && !isSaving} />
      <ChangedElsewhere loadAnew={loadAnew} isDirty={isDirty} isSaving={isSaving} />
      <FormErrors error={refusal} title={t("form.refused")} />
      <Basics form={form} />
      <ForwardFields form={form} />
      <AdvancedFields form={form} />
      <Group>
        <SubmitButton isSending={isSaving}>{action}</SubmitButton>
        <Button variant="default" component={Link} href={back}>
          {common("cancel")}
        </Button>
      </Group>
    </form>
  );
}

const transports: readonly HoleTransport[] = ["udp", "tcp"];

function Basics({ form }: { form: RuleFormState }) {
  const { t } = useTranslation("stun");
  return (
    <Section title={t("form.basics")}>
      <Stack gap="lg">
        <TextInput
          label={t("field.name")}
          description={t("form.nameHint")}
          withAsterisk
          autoComplete="off"
          maw="28rem"
          {...form.getInputProps("name")}
        />
        <Radio.Group
          label={t("field.transport")}
          description={t("form.transportHint")}
          {...form.getInputProps("transport")}
        >
          <Stack mt="xs" gap="xs">
            {transports.map((transport) => (
              <Radio
                key={transport}
                value={transport}
                label={transport.toUpperCase()}
                description={t(`form.${transport}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Switch
          label={t("field.enabled")}
          description={t("form.enabledHint")}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
        <Switch
          label={t("field.trigger")}
          description={t("form.triggerHint")}
          {...form.getInputProps("trigger_callbacks", { type: "checkbox" })}
        />
      </Stack>
    </Section>
  );
}
