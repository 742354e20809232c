import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { domainLimits, type DomainAccount, type ProviderName } from "../../shared/api/domains.ts";
import { ConfigFields } from "../components/config-fields.tsx";
import { NamedForm } from "../components/named-form.tsx";
import { judgeConfig } from "../lib/config-fields.ts";
import { onlyWrong, useFieldChecks } from "../lib/field-checks.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { toDomainValues, type DomainValues } from "./domain-values.ts";
import { providerFields } from "./provider-fields.ts";

interface DomainFormProps<Answer> {
  provider: ProviderName;
  /** Left out of a new one. */
  account?: DomainAccount;
  /** The word on the button. */
  action: string;
  /** Of an account that somebody else has changed meanwhile. */
  loadAnew?: (() => void) | undefined;
  send: (values: DomainValues) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
  /** Stands below the fields; is told whether there are changes. */
  children?: (isDirty: boolean) => ReactNode;
}

/** What a domain account is called, and the fields of its provider. */
export function DomainForm<Answer>(props: DomainFormProps<Answer>) {
  const { provider, account, action, loadAnew, send, onSaved, children } = props;
  const { t } = useTranslation("domains");
  const checks = useFieldChecks();
  const fields = providerFields[provider];
  const stored = account?.config ?? {};
  const form = useCheckedForm<DomainValues>({
    initialValues: toDomainValues(provider, account),
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
    send,
    stale: "domains",
    onSaved,
  });
  const isDirty = form.isDirty();
  return (
    <>
      <NamedForm
        title={t(`providers.${provider}.name`)}
        lead={t(`providers.${provider}.what`)}
        name={{ label: t("name"), hint: t("nameHint"), input: form.getInputProps("name") }}
        action={action}
        cancelTo={pageAddress("domainAccounts")}
        isDirty={isDirty}
        isSaving={isSaving}
        loadAnew={loadAnew}
        save={save}
        refusal={refusal}
        refused={t("refused")}
      >
        <ConfigFields
          form={form}
          fields={fields}
          stored={stored}
          label={(name) => t(`field.${name as "api_token"}`)}
          hint={(name) => t(`hint.${provider}.${name}` as "hint.cloudflare.base_url")}
        />
      </NamedForm>
      {children?.(isDirty)}
    </>
  );
}
