import { Alert, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyField } from "./copy-field.tsx";

interface SecretOnceProps {
  /** What it is: "Report token". */
  label: string;
  secret: string;
  /** What to do with it. */
  children?: ReactNode;
}

/** A secret that cannot be shown again. */
export function SecretOnce({ label, secret, children }: SecretOnceProps) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" variant="light" title={t("secretOnce")} role="status">
      <Stack gap="sm">
        <CopyField label={label} text={secret} />
        {children}
      </Stack>
    </Alert>
  );
}
