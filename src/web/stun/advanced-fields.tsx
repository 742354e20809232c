import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Fold } from "../components/fold.tsx";
import { UnitInput } from "../components/unit-input.tsx";
import type { RuleFormState } from "./rule-form.tsx";

const advanced = [
  "probe_interval_seconds",
  "settle_seconds",
  "local_address",
  "local_port",
  "stun_servers",
  "keepalive_hosts",
  "instance",
] as const;

/** What works as it is for most; opened where something in it is wrong. */
export function AdvancedFields({ form }: { form: RuleFormState }) {
  const { t } = useTranslation("stun");
  const { t: editing } = useTranslation("editing");
  const isWrong = Object.keys(form.errors).some((path) =>
    advanced.some((name) => path === name || path.startsWith(`${name}.`)),
  );
  return (
    <Fold title={editing("advanced")} lead={t("form.advancedLead")} isForcedOpen={isWrong}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <UnitInput
            label={t("field.interval")}
            description={t("form.intervalHint")}
            unit={t("form.seconds")}
            allowDecimal={false}
            {...form.getInputProps("probe_interval_seconds")}
          />
          <UnitInput
            label={t("field.settle")}
            description={t("form.settleHint")}
            unit={t("form.seconds")}
            allowDecimal={false}
            {...form.getInputProps("settle_seconds")}
          />
          <TextInput
            label={t("field.localAddress")}
            description={t("form.localAddressHint")}
            autoComplete="off"
            {...form.getInputProps("local_address")}
          />
          <NumberInput
            label={t("field.localPort")}
            description={t("form.localPortHint")}
            hideControls
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps("local_port")}
          />
        </SimpleGrid>
        <Lines
          form={form}
          path="stun_servers"
          label={t("field.servers")}
          description={t("form.serversHint")}
        />
        {form.values.transport === "tcp" && (
          <Lines
            form={form}
            path="keepalive_hosts"
            label={t("field.keepalive")}
            description={t("form.keepaliveHint")}
          />
        )}
        <TextInput
          label={t("field.instance")}
          description={t("form.instanceHint")}
          autoComplete="off"
          maw="20rem"
          {...form.getInputProps("instance")}
        />
      </Stack>
    </Fold>
  );
}

interface LinesProps {
  form: RuleFormState;
  path: "stun_servers" | "keepalive_hosts";
  label: string;
  description: string;
}

/** One `host:port` a line; the service names the line that is wrong by its index. */
function Lines({ form, path, label, description }: LinesProps) {
  const { t } = useTranslation("editing");
  const input: { error?: ReactNode } = form.getInputProps(path);
  const refused = Object.entries(form.errors).find(([key]) => key.startsWith(`${path}.`));
  const ofLine =
    refused &&
    t("check.line", {
      line: Number(refused[0].split(".")[1]) + 1,
      message: refused[1] as string,
    });
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      autoComplete="off"
      {...input}
      error={input.error ?? ofLine}
    />
  );
}
