import { Button, Group, Modal, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "../lib/services.tsx";

/** Asks before a page with changes that are not saved is left. Needs the full styles. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation();
  const { pages } = useServices();
  const [goOn, setGoOn] = useState<() => void>();
  useEffect(() => {
    if (!isDirty) return undefined;
    const beforeUnload = (event: Event): void => event.preventDefault();
    const release = pages.guard((leave) =>
      setGoOn(() => () => {
        release();
        removeEventListener("beforeunload", beforeUnload);
        leave();
      }),
    );
    addEventListener("beforeunload", beforeUnload);
    return () => {
      release();
      removeEventListener("beforeunload", beforeUnload);
    };
  }, [isDirty, pages]);
  return (
    <Modal
      opened={goOn !== undefined}
      onClose={() => setGoOn(undefined)}
      title={t("unsaved.title")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Text>{t("unsaved.what")}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={goOn}>
          {t("unsaved.leave")}
        </Button>
        <Button onClick={() => setGoOn(undefined)} data-autofocus>
          {t("unsaved.stay")}
        </Button>
      </Group>
    </Modal>
  );
}
