import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
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
    <Alert
      color={isOk ? "green" : "red"}
      variant="light"
      role="status"
      title={t(isOk ? "test.ok" : "test.notOk")}
    >
      <p className={classes.words}>{message}</p>
      {details !== undefined && (
        <details className={classes.details}>
          <summary>{t("test.details")}</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
          <pre className={classes.text} tabIndex={0}>
            {JSON.stringify(details, null, 2)}
          </pre>
        </details>
      )}
    </Alert>
  );
}
