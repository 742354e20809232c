import { useTranslation } from "react-i18next";
import { Said } from "./said.tsx";
import { VerdictBox } from "./verdict-box.tsx";
import classes from "./test-result.module.css";

interface TestResultProps {
  isOk: boolean;
  /** What the service says. */
  message: string;
  details?: unknown;
}

/** How a test of an account ended. What a target said is shown as text and nothing else. */
export function TestResult({ isOk, message, details }: TestResultProps) {
  const { t } = useTranslation("editing");
  return (
    <VerdictBox tone={isOk ? "good" : "bad"} title={t(isOk ? "test.ok" : "test.notOk")}>
      <p>
        <Said sentence={message} />
      </p>
      {details !== undefined && (
        <details className={classes.details}>
          <summary>{t("test.details")}</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
          <pre className={classes.text} tabIndex={0}>
            {JSON.stringify(details, null, 2)}
          </pre>
        </details>
      )}
    </VerdictBox>
  );
}
