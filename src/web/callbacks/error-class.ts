import { useTranslation } from "react-i18next";

const known = [
  "network",
  "timeout",
  "tls",
  "refused_by_policy",
  "too_large",
  "template",
  "interrupted",
  "sealed",
  "internal",
  "not_json",
  "unexpected_answer",
  "rule_not_found",
  "several_values",
  "not_taken",
  "other_fields_changed",
] as const;

/** Says the class of a failure in words; of a provider's own classes, the word itself. */
export function useErrorClassWords(): (errorClass: string) => string {
  const { t } = useTranslation("callback-runs");
  return (errorClass) => {
    const name = known.find((each) => each === errorClass);
    if (name) return t(`errorClass.${name}`);
    const status = /^http_(\d{3})$/.exec(errorClass)?.[1];
    if (status !== undefined) return t("errorClass.http", { status });
    return t("errorClass.other", { code: errorClass });
  };
}
