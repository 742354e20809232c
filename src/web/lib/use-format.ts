import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Format } from "./format.ts";

/** Writes numbers and times in the language of the page. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => new Format(i18n.language), [i18n.language]);
}
