import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import type { RuleChanged } from "../../shared/api/stun.ts";
import { useNotify } from "../app/notices.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { RuleForm } from "./rule-form.tsx";
import { emptyRule, toRuleBody } from "./rule-values.ts";

export function NewRulePage() {
  const { t } = useTranslation("stun");
  const api = useApi();
  const notify = useNotify();
  return (
    <>
      <PageHeader
        title={t("new.title")}
        lead={t("new.lead")}
        back={{ href: pageAddress("stunRules"), label: t("title") }}
      />
      <RuleForm
        initialValues={emptyRule}
        action={t("new.submit")}
        back={pageAddress("stunRules")}
        send={(values) =>
          api.post<Static<typeof RuleChanged>>("/api/stun/rules", toRuleBody(values))
        }
        onSaved={({ rule }) => {
          notify({ message: t("new.done", { name: rule.name }) });
          return pageAddress("stunRule", rule.id);
        }}
      />
    </>
  );
}
