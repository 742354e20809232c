import { useTranslation } from "react-i18next";
import { UnitInput } from "../components/unit-input.tsx";
import type { PublicationFormState } from "./publication-form.tsx";
import classes from "./publications.module.css";

export function TimeFields({ form }: { form: PublicationFormState }) {
  const { t } = useTranslation("publications");
  return (
    <div className={classes.fields}>
      <UnitInput
        label={t("field.interval")}
        description={t("form.intervalHint")}
        unit={t("form.seconds")}
        allowDecimal={false}
        {...form.getInputProps("interval_seconds")}
      />
      <UnitInput
        label={t("field.ttl")}
        description={t("form.ttlHint")}
        unit={t("form.seconds")}
        allowDecimal={false}
        {...form.getInputProps("ttl_seconds")}
      />
    </div>
  );
}
