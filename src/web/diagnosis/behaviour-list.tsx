import { useTranslation } from "react-i18next";
import type { StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";
import classes from "./diagnosis.module.css";

/** The three questions one asks of a NAT, each with its answer and what that means. */
export function BehaviourList({ found }: { found: StunDiagnosis }) {
  const { t } = useTranslation("diagnosis");
  const { mapping, filtering, hairpin, transport } = found;
  const hairpinWord = hairpin === null ? "unknown" : hairpin ? "yes" : "no";
  const filteringWord = transport === "tcp" && filtering === "unknown" ? "tcp" : filtering;
  return (
    <dl className={classes.behaviours}>
      <div>
        <dt>{t("mapping.title")}</dt>
        <dd>
          <strong>{t(`mapping.${mapping}.word`)}</strong>
          <span>{t(`mapping.${mapping}.means`)}</span>
        </dd>
      </div>
      <div>
        <dt>{t("filtering.title")}</dt>
        <dd>
          <strong>{t(`filtering.${filteringWord}.word`)}</strong>
          <span>{t(`filtering.${filteringWord}.means`)}</span>
        </dd>
      </div>
      <div>
        <dt>{t("hairpin.title")}</dt>
        <dd>
          <strong>{t(`hairpin.${hairpinWord}.word`)}</strong>
          <span>{t(`hairpin.${hairpinWord}.means`)}</span>
        </dd>
      </div>
    </dl>
  );
}
