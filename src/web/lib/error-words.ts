import { useTranslation } from "react-i18next";
import { ApiError, UnreachableError } from "./api-error.ts";

/** Says an error in the language of the page; what only the service can say stays English. */
export function useErrorWords(): (error: unknown) => string {
  const { t, i18n } = useTranslation("errors");
  return (error) => {
    if (error instanceof UnreachableError) return t("unreachable");
    if (!(error instanceof ApiError)) return t("unexpected");
    const key = `codes.${error.code}`;
    if (error.code === "rate_limited" && error.retryAfterSeconds !== undefined) {
      return t("rateLimited", { seconds: error.retryAfterSeconds });
    }
    const isEnglish = i18n.language === "en";
    return !isEnglish && i18n.exists(key, { ns: "errors" })
      ? t(key as "codes.internal")
      : error.message;
  };
}
