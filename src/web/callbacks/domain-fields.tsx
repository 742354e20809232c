import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { domainLimits } from "../../shared/api/domains.ts";
import { useDomainAccounts } from "../domains/queries.ts";
import { pageAddress } from "../lib/page-address.ts";
import type { AccountFormState } from "./account-form.tsx";
import { RecordFields } from "./record-fields.tsx";
import { emptyRecord } from "./record-values.ts";

/** Which domain account, and the records that are kept in step. */
export function DomainFields({ form }: { form: AccountFormState }) {
  const { t } = useTranslation("callback-accounts");
  const { data: accounts = [], isPending } = useDomainAccounts();
  const { records } = form.values.config;
  const isNone = !isPending && accounts.length === 0;
  return (
    <Stack>
      <NativeSelect
        label={t("field.domain_account_id")}
        description={t("hint.domain_account.domain_account_id")}
        withAsterisk
        disabled={isNone}
        data={[
          { value: "", label: t("choose") },
          ...accounts.map(({ id, name, provider }) => ({
            value: String(id),
            label: `${name} (${provider})`,
          })),
        ]}
        {...form.getInputProps("config.domain_account_id")}
      />
      {isNone && (
        <Text size="sm">
          {t("noDomains")} <Link href={pageAddress("newDomainAccount")}>{t("newDomain")}</Link>
        </Text>
      )}
      {records.map((record, n) => (
        <RecordFields
          key={record.key}
          form={form}
          index={n}
          {...(records.length > 1 && {
            onRemove: () => form.removeListItem("config.records", n),
          })}
        />
      ))}
      {records.length < domainLimits.records && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.insertListItem("config.records", emptyRecord())}
          >
            {t("record.add")}
          </Button>
        </div>
      )}
    </Stack>
  );
}
