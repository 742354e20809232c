import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AccountType, CallbackAccount } from "../../shared/api/callbacks.ts";
import { NamedForm } from "../components/named-form.tsx";
import { useFieldChecks } from "../lib/field-checks.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { pageAddress } from "../lib/page-address.ts";
import { AccountTypeFields } from "./account-type-fields.tsx";
import { judgeAccount, toAccountValues, type AccountValues } from "./account-values.ts";

interface AccountFormProps<Answer> {
  type: AccountType;
  /** Left out of a new one. */
  account?: CallbackAccount;
  /** The word on the button. */
  action: string;
  /** Of an account that somebody else has changed meanwhile. */
  loadAnew?: (() => void) | undefined;
  send: (values: AccountValues) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
  /** Stands below the fields; is told whether there are changes. */
  children?: (isDirty: boolean) => ReactNode;
}

export type AccountFormState = ReturnType<typeof useCheckedForm<AccountValues>>;

/** What an account is called, and the fields of its type. */
export function AccountForm<Answer>(props: AccountFormProps<Answer>) {
  const { type, account, action, loadAnew, send, onSaved, children } = props;
  const { t } = useTranslation("callback-accounts");
  const checks = useFieldChecks();
  const form = useCheckedForm<AccountValues>({
    initialValues: toAccountValues(type, account),
    check: (values) => judgeAccount(type, values, account, checks),
  });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: ["name", "config"],
    send,
    stale: "callbacks",
    onSaved,
  });
  const isDirty = form.isDirty();
  return (
    <>
      <NamedForm
        title={t(`types.${type}.name`)}
        lead={t(`types.${type}.what`)}
        name={{ label: t("name"), hint: t("nameHint"), input: form.getInputProps("name") }}
        action={action}
        cancelTo={pageAddress("callbackAccounts")}
        isDirty={isDirty}
        isSaving={isSaving}
        loadAnew={loadAnew}
        save={save}
        refusal={refusal}
        refused={t("refused")}
      >
        <AccountTypeFields type={type} form={form} stored={account?.config ?? {}} />
      </NamedForm>
      {children?.(isDirty)}
    </>
  );
}
