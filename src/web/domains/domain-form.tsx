import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import {
  domainLimits,
  type DomainAccount,
  type NewDomainAccount,
  type ProviderName,
} from "../../shared/api/domains.ts";
import { ConfigFields } from "../components/config-fields.tsx";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import {
  judgeConfig,
  toConfigBody,
  toConfigValues,
  type ConfigValues,
} from "../lib/config-fields.ts";
import { onlyWrong, useFieldChecks } from "../lib/field-checks.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { providerFields } from "./provider-fields.ts";

interface DomainFormProps<Answer> {
  provider: ProviderName;
  /** Left out of a new one. */
  account?: DomainAccount;
  /** The word on the button. */
  action: string;
  send: (body: NewDomainAccount) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
  /** Stands below the fields; is told whether there are changes. */
  children?: (isDirty: boolean) => ReactNode;
}

/** What a domain account is called, and the fields of its provider. */
export function DomainForm<Answer>(props: DomainFormProps<Answer>) {
  const { provider, account, action, send, onSaved, children } = props;
  const { t } = useTranslation("domains");
  const { t: common } = useTranslation();
  const checks = useFieldChecks();
  const fields = providerFields[provider];
  const stored = account?.config ?? {};
  const form = useCheckedForm<{ name: string; config: ConfigValues }>({
    initialValues: { name: account?.name ?? "", config: toConfigValues(fields, stored) },
    check: ({ name, config }) => ({
      ...onlyWrong({
        name: checks.required(name) ?? checks.atMost(name, domainLimits.nameLength),
      }),
      ...judgeConfig(fields, config, stored, checks),
    }),
  });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: ["name", "config"],
    send: ({ name, config }) =>
      send({ name: name.trim(), provider, config: toConfigBody(fields, config, stored) }),
    stale: "domains",
    onSaved,
  });
  const isDirty = form.isDirty();
  return (
    <>
      <form noValidate onSubmit={save}>
        <UnsavedGuard isDirty={isDirty && !isSaving} />
        <FormErrors error={refusal} title={t("refused")} />
        <Section title={t(`providers.${provider}.name`)} lead={t(`providers.${provider}.what`)}>
          <Stack>
            <TextInput
              label={t("name")}
              description={t("nameHint")}
              withAsterisk
              autoComplete="off"
              {...form.getInputProps("name")}
            />
            <ConfigFields
              form={form}
              fields={fields}
              stored={stored}
              label={(name) => t(`field.${name as "api_token"}`)}
              hint={(name) => t(`hint.${provider}.${name}` as "hint.cloudflare.base_url")}
            />
            <Group mt="xs">
              <SubmitButton isSending={isSaving}>{action}</SubmitButton>
              <Button variant="default" component={Link} href={pageAddress("domainAccounts")}>
                {common("cancel")}
              </Button>
            </Group>
          </Stack>
        </Section>
      </form>
      {children?.(isDirty)}
    </>
  );
}
