import { Alert, Button, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface ChangedElsewhereProps {
  /** Begins the form with what is stored now; undefined while that is what it has. */
  loadAnew: (() => void) | undefined;
  /** Whether something would be lost by that. */
  isDirty: boolean;
  /** What one saves oneself is no news. */
  isSaving: boolean;
}

/** Says above a form that somebody else has changed what it began with. */
export function ChangedElsewhere({ loadAnew, isDirty, isSaving }: ChangedElsewhereProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <div aria-live="polite">
      {loadAnew && !isSaving && (
        <Alert color="yellow" role="note" title={t("elsewhere.title")} mb="var(--wp-gap)">
          <Text size="sm">{t("elsewhere.what")}</Text>
          <Button
            size="xs"
            variant="default"
            mt="sm"
            onClick={() => (isDirty ? setAsking(true) : loadAnew())}
          >
            {t("elsewhere.load")}
          </Button>
        </Alert>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t("elsewhere.ask")}
        action={t("elsewhere.load")}
        isPending={false}
        onConfirm={() => {
          setAsking(false);
          loadAnew?.();
        }}
        onClose={() => setAsking(false)}
      >
        {t("unsaved.what")}
      </ConfirmDialog>
    </div>
  );
}
