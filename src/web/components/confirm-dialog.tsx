import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "./error-notice.tsx";

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** What happens. */
  children: ReactNode;
  /** The word on the button; undefined: it cannot be done now. */
  action: string | undefined;
  isDangerous?: boolean;
  isPending: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once more. What takes a lot with it is asked by name: confirm-by-name.tsx. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, action, isDangerous = false, isPending, error } = props;
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      title={title}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Stack>
        <div>{children}</div>
        {error !== undefined && error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {t(action === undefined ? "close" : "cancel")}
          </Button>
          {action !== undefined && (
            <Button
              {...(isDangerous && { color: "red" })}
              loading={isPending}
              onClick={props.onConfirm}
            >
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
