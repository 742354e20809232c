import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyField } from "../components/copy-field.tsx";
import { Stored } from "../lib/stored.ts";
import { ChecklistStep } from "./checklist-step.tsx";

const COMMAND = "waypost backup /var/backups/waypost/";

const arranged = new Stored("backup-arranged");

/** Whether this browser was told that backups are arranged, and how to tell it. */
export function useBackupArranged(): [boolean, (isNow: boolean) => void] {
  const [isArranged, setArranged] = useState(() => arranged.read() !== null);
  const tell = (isNow: boolean) => {
    arranged.write(isNow ? "yes" : null);
    setArranged(isNow);
  };
  return [isArranged, tell];
}

interface BackupStepProps {
  isArranged: boolean;
  onArrange: (isNow: boolean) => void;
}

/** The service cannot know whether backups are kept elsewhere: whoever arranges them ticks this. */
export function BackupStep({ isArranged, onArrange }: BackupStepProps) {
  const { t } = useTranslation("admin");
  return (
    <ChecklistStep
      title={t("steps.backup.title")}
      isDone={isArranged}
      hint={
        <Stack gap="xs">
          <span>{t("steps.backup.hint")}</span>
          <CopyField label={t("steps.backup.command")} text={COMMAND} />
          <Checkbox
            label={t("steps.backup.arranged")}
            checked={isArranged}
            onChange={(event) => onArrange(event.currentTarget.checked)}
          />
        </Stack>
      }
    />
  );
}
