import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import type { ReactNode, SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { FormErrors } from "./form-errors.tsx";
import { Section } from "./section.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";

interface NamedFormProps {
  title: string;
  lead: string;
  /** The field of the name. */
  name: { label: string; hint: string; input: GetInputPropsReturnType };
  /** The word on the button. */
  action: string;
  /** Where one goes who gives up. */
  cancelTo: string;
  isDirty: boolean;
  isSaving: boolean;
  /** Of what somebody else has changed meanwhile. */
  loadAnew: (() => void) | undefined;
  save: (event?: SubmitEvent<HTMLFormElement>) => void;
  /** What stands beside no field, and what was refused. */
  refusal: unknown;
  refused: string;
  /** The other fields. */
  children: ReactNode;
}

/** The form of something that has a name: it, the other fields, and the two ways out. */
export function NamedForm(props: NamedFormProps) {
  const { title, lead, name, action, cancelTo, isDirty, isSaving, save } = props;
  const { loadAnew, refusal, refused, children } = props;
  const { t } = useTranslation();
  return (
    <form noValidate onSubmit={save}>
      <UnsavedGuard isDirty={isDirty && !isSaving} />
      <ChangedElsewhere loadAnew={loadAnew} isDirty={isDirty} isSaving={isSaving} />
      <FormErrors error={refusal} title={refused} />
      <Section title={title} lead={lead}>
        <Stack>
          <TextInput
            label={name.label}
            description={name.hint}
            withAsterisk
            autoComplete="off"
            {...name.input}
          />
          {children}
          <Group mt="xs">
            <SubmitButton isSending={isSaving}>{action}</SubmitButton>
            <Button variant="default" component={Link} href={cancelTo}>
              {t("cancel")}
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}
