import { useTranslation } from "react-i18next";
import { ApiError, UnreachableError } from "./api-error.ts";

/** Says an error in the language of the page. */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslation("errors");
  return (error) => {
    if (error instanceof UnreachableError) return t("unreachable");
    return error instanceof ApiError ? error.message : t("unexpected");
  };
}
