import { useTranslation } from "react-i18next";
import { TestSection } from "../components/test-section.tsx";

/** Asks the target whether it takes the account; a webhook is sent an event `test`. */
export function AccountTest(props: { id: number; isDirty: boolean; isWebhook: boolean }) {
  const { t } = useTranslation("callback-accounts");
  return (
    <TestSection
      path={`/api/callbacks/accounts/${props.id}/test`}
      lead={t(props.isWebhook ? "test.webhook" : "test.reads")}
      isDirty={props.isDirty}
    />
  );
}
