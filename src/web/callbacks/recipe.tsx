import { useTranslation } from "react-i18next";
import type { AccountType } from "../../shared/api/callbacks.ts";
import { CopyField } from "../components/copy-field.tsx";
import { Section } from "../components/section.tsx";
import classes from "./recipe.module.css";

const policies: Partial<Record<AccountType, object>> = {
  aliyun_esa: {
    Version: "1",
    Statement: [
      {
        Effect: "Allow",
        Action: ["esa:GetOriginRule", "esa:UpdateOriginRule"],
        Resource: "acs:esa:*:*:site/<site id>",
      },
    ],
  },
  tencent_edgeone: {
    version: "2.0",
    statement: [
      {
        effect: "allow",
        action: ["teo:DescribeL7AccRules", "teo:ModifyL7AccRule"],
        resource: ["qcs::teo::uin/<account uin>:zone/<zone id>"],
      },
    ],
  },
};

const consoles: Partial<Record<AccountType, string>> = {
  cloudflare_origin_rule: "https://dash.cloudflare.com/profile/api-tokens",
  aliyun_esa: "https://ram.console.aliyun.com/users",
  tencent_edgeone: "https://console.cloud.tencent.com/cam",
};

const steps = ["first", "second", "third"] as const;

/** What to do at the target before its account can be filled in. */
export function Recipe({ type }: { type: AccountType }) {
  const { t } = useTranslation("callback-accounts");
  const policy = policies[type];
  const console = consoles[type];
  return (
    <Section title={t("recipe.title")}>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>{t(`recipe.${type}.${step}`)}</li>
        ))}
      </ol>
      {policy && (
        <>
          <p className={classes.label}>{t("recipe.policy")}</p>
          <CopyField label={t("recipe.policy")} text={JSON.stringify(policy, null, 2)} isBlock />
        </>
      )}
      {console !== undefined && (
        <p className={classes.link}>
          <a href={console} target="_blank" rel="noreferrer">
            {t("recipe.console")}
          </a>
        </p>
      )}
    </Section>
  );
}
