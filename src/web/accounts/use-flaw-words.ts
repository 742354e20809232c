import { useTranslation } from "react-i18next";
import { passwordLimits, type Flaw } from "./account-rules.ts";

/** Says what is wrong beside each field; fields without a flaw are left out. */
export function useFlawWords(): (
  flaws: Record<string, Flaw | undefined>,
) => Record<string, string> {
  const { t } = useTranslation("accounts");
  return (flaws) =>
    Object.fromEntries(
      Object.entries(flaws).flatMap(([path, flaw]) =>
        flaw ? [[path, t(`flaws.${flaw}`, passwordLimits)]] : [],
      ),
    );
}
