import { Button, Group, Radio, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { nodeLimits, regionTypes } from "../../shared/api/nodes.ts";
import { ChangedElsewhere } from "../components/changed-elsewhere.tsx";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnitInput } from "../components/unit-input.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { showFieldErrors } from "../lib/form-errors.ts";
import { focusFirstError, useCheckedForm } from "../lib/use-checked-form.ts";
import { ConnectionsEditor } from "./connections-editor.tsx";
import { judgeNode } from "./form-rules.ts";
import type { NodeFormValues } from "./form-values.ts";

interface NodeFormProps {
  initialValues: NodeFormValues;
  /** The word on the button. */
  action: string;
  /** Where "Cancel" leads. */
  back: string;
  /** Of a node that somebody else has changed meanwhile. */
  loadAnew?: (() => void) | undefined;
  /** Resolves when all is saved, and leads elsewhere then. */
  save: (values: NodeFormValues) => Promise<void>;
}

/** Every field of a node that its owner sets. */
export function NodeForm({ initialValues, action, back, loadAnew, save }: NodeFormProps) {
  const { t } = useTranslation("my-nodes");
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useCheckedForm<NodeFormValues>({
    initialValues,
    check: (values) =>
      Object.fromEntries(
        Object.entries(judgeNode(values)).map(([path, { flaw, ...numbers }]) => [
          path,
          t(`flaws.${flaw}`, numbers),
        ]),
      ),
  });
  const submit = async (values: NodeFormValues): Promise<void> => {
    setError(undefined);
    setSaving(true);
    try {
      await save(values);
    } catch (refusal) {
      setError(showFieldErrors(form, refusal, Object.keys(initialValues)));
      setSaving(false);
    }
  };
  const isDirty = form.isDirty();
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => void submit(values), focusFirstError(form))}
    >
      <UnsavedGuard isDirty={isDirty && !isSaving} />
      <ChangedElsewhere loadAnew={loadAnew} isDirty={isDirty} isSaving={isSaving} />
      <Identity form={form} />
      <Section title={t("form.reached")} lead={t("form.reachedLead")}>
        <ConnectionsEditor form={form} />
      </Section>
      <Capacity form={form} />
      <Terms form={form} />
      <Stack>
        <FormErrors error={error} />
        <Group>
          <SubmitButton isSending={isSaving}>{action}</SubmitButton>
          <Button variant="default" component={Link} href={back}>
            {t("form.cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Form = ReturnType<typeof useCheckedForm<NodeFormValues>>;

function Identity({ form }: { form: Form }) {
  const { t } = useTranslation("my-nodes");
  return (
    <Section title={t("form.identity")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
        <TextInput
          label={t("form.name")}
          description={t("form.nameHint", { maximum: nodeLimits.nameLength })}
          required
          autoComplete="off"
          {...form.getInputProps("node_name")}
        />
        <TextInput
          label={t("form.regionDetail")}
          description={t("form.regionDetailHint")}
          autoComplete="off"
          {...form.getInputProps("region_detail")}
        />
        <Radio.Group
          label={t("form.region")}
          description={t("form.regionHint")}
          {...form.getInputProps("region_type")}
        >
          <Group mt="xs">
            {regionTypes.map((region) => (
              <Radio key={region} value={region} label={t(`regions.${region}`)} />
            ))}
          </Group>
        </Radio.Group>
        <TextInput
          label={t("form.tags")}
          description={t("form.tagsHint")}
          autoComplete="off"
          {...form.getInputProps("tags")}
        />
      </SimpleGrid>
    </Section>
  );
}

function Capacity({ form }: { form: Form }) {
  const { t } = useTranslation("my-nodes");
  return (
    <Section title={t("form.capacity")} lead={t("form.capacityLead")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
        <UnitInput
          label={t("form.maxBandwidth")}
          description={t("form.maxBandwidthHint")}
          unit="Mbit/s"
          placeholder={t("form.unknown")}
          {...form.getInputProps("max_bandwidth")}
        />
        <UnitInput
          label={t("form.tierBandwidth")}
          description={t("form.tierBandwidthHint")}
          unit="Mbit/s"
          placeholder={t("form.asMaximum")}
          {...form.getInputProps("tier_bandwidth")}
        />
        <UnitInput
          label={t("form.maxTraffic")}
          description={t("form.maxTrafficHint")}
          unit="GB"
          placeholder={t("form.unlimited")}
          {...form.getInputProps("max_traffic")}
        />
        <UnitInput
          label={t("form.resetCycle")}
          description={t("form.resetCycleHint")}
          unit={t("form.days")}
          allowDecimal={false}
          {...form.getInputProps("reset_cycle")}
        />
        <UnitInput
          label={t("form.maxConnections")}
          description={t("form.maxConnectionsHint")}
          unit={t("form.connections")}
          allowDecimal={false}
          placeholder={t("form.unlimited")}
          {...form.getInputProps("max_connections")}
        />
      </SimpleGrid>
    </Section>
  );
}

function Terms({ form }: { form: Form }) {
  const { t } = useTranslation("my-nodes");
  return (
    <Section title={t("form.terms")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
        <TextInput
          type="date"
          label={t("form.validUntil")}
          description={t("form.validUntilHint")}
          {...form.getInputProps("valid_until")}
        />
        <Switch
          label={t("form.allowRelay")}
          description={t("form.allowRelayHint")}
          {...form.getInputProps("allow_relay", { type: "checkbox" })}
        />
      </SimpleGrid>
    </Section>
  );
}
