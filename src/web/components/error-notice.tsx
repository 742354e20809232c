import { Alert, Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ApiError } from "../lib/api-error.ts";
import { useErrorWords } from "../lib/error-words.ts";
import classes from "./error-notice.module.css";

interface ErrorNoticeProps {
  error: unknown;
  /** What was wanted: "The nodes could not be loaded". */
  title?: string;
  onRetry?: () => void;
}

/** Says what went wrong and offers to try again, unless there is nothing to be had. */
export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
  const { t } = useTranslation();
  const toWords = useErrorWords();
  return (
    <Alert
      className={classes.notice ?? ""}
      color="red"
      variant="light"
      role="alert"
      {...(title !== undefined && { title })}
    >
      <p className={classes.words}>{toWords(error)}</p>
      {onRetry && !(error instanceof ApiError && error.status === 404) && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          {t("retry")}
        </Button>
      )}
    </Alert>
  );
}
