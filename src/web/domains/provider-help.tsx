import { useTranslation } from "react-i18next";
import type { ProviderName } from "../../shared/api/domains.ts";
import { Section } from "../components/section.tsx";
import classes from "./domains.module.css";

/** What to do at the provider first, and what to know about it. */
export function ProviderHelp({ provider }: { provider: ProviderName }) {
  const { t } = useTranslation("domains");
  return (
    <Section title={t("help")}>
      <p className={classes.help}>{t(`providers.${provider}.first`)}</p>
      <p className={classes.help}>{t(`providers.${provider}.note`)}</p>
    </Section>
  );
}
