import { useTranslation } from "react-i18next";
import type { AccountType } from "../../shared/api/callbacks.ts";
import { ConfigFields } from "../components/config-fields.tsx";
import { accountFields } from "./account-fields.ts";
import type { AccountFormState } from "./account-form.tsx";
import { DomainFields } from "./domain-fields.tsx";
import { NodeFields } from "./node-fields.tsx";
import { WebhookFields } from "./webhook-fields.tsx";

interface AccountTypeFieldsProps {
  type: AccountType;
  form: AccountFormState;
  stored: Readonly<Record<string, unknown>>;
}

export function AccountTypeFields({ type, form, stored }: AccountTypeFieldsProps) {
  const { t } = useTranslation("callback-accounts");
  switch (type) {
    case "webhook":
      return <WebhookFields form={form} stored={stored} />;
    case "domain_account":
      return <DomainFields form={form} />;
    case "registry_node":
      return <NodeFields form={form} />;
    default:
      return (
        <ConfigFields
          form={form}
          fields={accountFields[type]}
          stored={stored}
          label={(name) => t(`field.${name as "api_token"}`)}
          hint={(name) => t(`hint.${type}.${name as "base_url"}`)}
        />
      );
  }
}
