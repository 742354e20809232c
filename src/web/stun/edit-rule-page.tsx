import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useParams } from "wouter";
import type { RuleChanged } from "../../shared/api/stun.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useFresh } from "../lib/use-fresh.ts";
import { useRule } from "./queries.ts";
import { RuleForm } from "./rule-form.tsx";
import { toRuleValues } from "./rule-values.ts";

export function EditRulePage() {
  const { t } = useTranslation("stun");
  const { t: editing } = useTranslation("editing");
  const id = Number(useParams().id);
  const api = useApi();
  const notify = useNotify();
  const query = useRule(id);
  const { error, refetch } = query;
  const rule = useFresh(query);
  const path = `/api/stun/rules/${id}`;
  return (
    <>
      <PageHeader
        title={rule ? t("editTitle", { name: rule.name }) : t("rule")}
        back={{ href: pageAddress("stunRules"), label: t("title") }}
        lead={t("editLead")}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      {!rule && !error && <CardSkeleton height={360} />}
      {rule && (
        <RuleForm
          initialValues={toRuleValues(rule)}
          action={editing("save")}
          back={pageAddress("stunRule", id)}
          send={(body) => api.put<Static<typeof RuleChanged>>(path, body)}
          onSaved={(answer) => {
            notify({ message: t("saved", { name: answer.rule.name }) });
            return pageAddress("stunRule", id);
          }}
        />
      )}
    </>
  );
}
