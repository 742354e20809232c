import { useTranslation } from "react-i18next";
import classes from "./body-text.module.css";

interface BodyTextProps {
  text: string;
  /** What it is: "Response body". */
  label: string;
  isTruncated?: boolean;
}

/** What was sent or answered, as text: a target is not to be trusted. */
export function BodyText({ text, label, isTruncated = false }: BodyTextProps) {
  const { t } = useTranslation("callback-runs");
  if (text === "") return <p className={classes.note}>{t("emptyBody")}</p>;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre className={classes.text} tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      {isTruncated && <p className={classes.note}>{t("truncated")}</p>}
    </>
  );
}
