import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useParams } from "wouter";
import type { Rule, RuleChanged } from "../../shared/api/stun.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { sendChanges } from "../lib/changes.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useBegun } from "../lib/use-begun.ts";
import { useFresh } from "../lib/use-fresh.ts";
import { useRule } from "./queries.ts";
import { RuleForm } from "./rule-form.tsx";
import { toRuleBody, toRuleChange, toRuleValues } from "./rule-values.ts";

export function EditRulePage() {
  const { t } = useTranslation("stun");
  const id = Number(useParams().id);
  const query = useRule(id);
  const { error, refetch } = query;
  const rule = useFresh(query);
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
      {rule && <EditForm rule={rule} />}
    </>
  );
}

function EditForm({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const { t: editing } = useTranslation("editing");
  const api = useApi();
  const notify = useNotify();
  const { begun, round, loadAnew } = useBegun(rule, (each) => toRuleBody(toRuleValues(each)));
  const initialValues = toRuleValues(begun);
  const page = pageAddress("stunRule", rule.id);
  return (
    <RuleForm
      key={round}
      initialValues={initialValues}
      action={editing("save")}
      back={page}
      loadAnew={loadAnew}
      send={(values) =>
        sendChanges(toRuleChange(initialValues, values), { rule }, (changes) =>
          api.put<Static<typeof RuleChanged>>(`/api/stun/rules/${rule.id}`, changes),
        )
      }
      onSaved={(answer) => {
        notify({ message: t("saved", { name: answer.rule.name }) });
        return page;
      }}
    />
  );
}
