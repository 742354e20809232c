import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { AccountType, CallbackAccount, NewAccount } from "../../shared/api/callbacks.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { useFieldChecks } from "../lib/field-checks.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { pageAddress } from "../lib/page-address.ts";
import { AccountTypeFields } from "./account-type-fields.tsx";
import {
  judgeAccount,
  toAccountBody,
  toAccountValues,
  type AccountValues,
} from "./account-values.ts";

interface AccountFormProps<Answer> {
  type: AccountType;
  /** Left out of a new one. */
  account?: CallbackAccount;
  /** The word on the button. */
  action: string;
  send: (body: NewAccount) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
  /** Stands below the fields; is told whether there are changes. */
  children?: (isDirty: boolean) => ReactNode;
}

export type AccountFormState = ReturnType<typeof useCheckedForm<AccountValues>>;

/** What an account is called, and the fields of its type. */
export function AccountForm<Answer>(props: AccountFormProps<Answer>) {
  const { type, account, action, send, onSaved, children } = props;
  const { t } = useTranslation("callback-accounts");
  const { t: common } = useTranslation();
  const checks = useFieldChecks();
  const form = useCheckedForm<AccountValues>({
    initialValues: toAccountValues(type, account),
    check: (values) => judgeAccount(type, values, account, checks),
  });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: ["name", "config"],
    send: (values) => send(toAccountBody(type, values, account)),
    stale: "callbacks",
    onSaved,
  });
  const isDirty = form.isDirty();
  return (
    <>
      <form noValidate onSubmit={save}>
        <UnsavedGuard isDirty={isDirty && !isSaving} />
        <FormErrors error={refusal} title={t("refused")} />
        <Section title={t(`types.${type}.name`)} lead={t(`types.${type}.what`)}>
          <Stack>
            <TextInput
              label={t("name")}
              description={t("nameHint")}
              withAsterisk
              autoComplete="off"
              {...form.getInputProps("name")}
            />
            <AccountTypeFields type={type} form={form} stored={account?.config ?? {}} />
            <Group mt="xs">
              <SubmitButton isSending={isSaving}>{action}</SubmitButton>
              <Button variant="default" component={Link} href={pageAddress("callbackAccounts")}>
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
