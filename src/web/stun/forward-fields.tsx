import { Group, NumberInput, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Section } from "../components/section.tsx";
import type { RuleFormState } from "./rule-form.tsx";

/** Where traffic is relayed to that arrives at the public address. */
export function ForwardFields({ form }: { form: RuleFormState }) {
  const { t } = useTranslation("stun");
  const { forwards, transport } = form.values;
  const error = form.errors["forward_to"];
  return (
    <Section title={t("field.forward")} lead={t("form.forwardLead")}>
      <Stack>
        <Switch
          label={t("form.forwards")}
          {...form.getInputProps("forwards", { type: "checkbox" })}
        />
        {forwards && (
          <>
            <Group align="flex-start">
              <TextInput
                label={t("form.host")}
                placeholder="192.168.1.10"
                withAsterisk
                autoComplete="off"
                flex="1 1 12rem"
                maw="24rem"
                {...form.getInputProps("forward_to.host")}
              />
              <NumberInput
                label={t("form.port")}
                placeholder="443"
                withAsterisk
                hideControls
                allowDecimal={false}
                allowNegative={false}
                w="7rem"
                {...form.getInputProps("forward_to.port")}
              />
            </Group>
            {transport === "tcp" && (
              <Switch
                label={t("field.proxyProtocol")}
                description={t("form.proxyProtocolHint")}
                {...form.getInputProps("forward_to.proxy_protocol", { type: "checkbox" })}
              />
            )}
            {error !== undefined && (
              <Text c="var(--mantine-color-error)" size="sm" role="alert">
                {error}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}
