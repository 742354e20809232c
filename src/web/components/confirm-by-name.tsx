import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "./error-notice.tsx";
import { SubmitButton } from "./submit-button.tsx";

interface ConfirmByNameProps {
  isOpen: boolean;
  title: string;
  /** What is lost. */
  children: ReactNode;
  /** What must be typed. */
  name: string;
  /** The word on the button: "Delete node". */
  action: string;
  isPending: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for the name of what is about to be lost. Needs the full styles. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Question {...props} />
    </Modal>
  );
}

function Question(props: ConfirmByNameProps) {
  const { children, name, action, isPending, error, onConfirm, onClose } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const confirm = (event: SubmitEvent): void => {
    event.preventDefault();
    if (typed.trim() === name) onConfirm();
  };
  return (
    <form onSubmit={confirm}>
      <Stack>
        <div>{children}</div>
        <TextInput
          label={t("typeName", { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {error !== undefined && error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          <SubmitButton color="red" isSending={isPending} disabled={typed.trim() !== name}>
            {action}
          </SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
