import { NativeSelect, Radio, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { triggers } from "../../shared/api/callbacks.ts";

/** What kind of change starts the task. */
export function TriggerField({ input }: { input: object }) {
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

interface ThingFieldProps {
  label: string;
  description: string;
  /** Undefined while they are on their way. */
  things: readonly { id: number; name: string }[] | undefined;
  /** Leads to where the first is made. */
  none: ReactNode;
  input: object;
}

/** Chooses a rule or an account; leads to where the first is made. */
export function ThingField({ label, description, things, none, input }: ThingFieldProps) {
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
