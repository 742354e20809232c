import { Button, Group, Modal, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

/** The parts of the Navigation API that are used; browsers without it only ask before a reload. */
interface NavigateEvent extends Event {
  readonly navigationType: string;
  readonly hashChange: boolean;
  readonly destination: {
    readonly url: string;
    readonly key: string;
    readonly sameDocument: boolean;
  };
}
interface Navigation extends EventTarget {
  traverseTo(key: string): unknown;
}

const { navigation } = globalThis as { navigation?: Navigation };

/** Asks before a page with changes that are not saved is left. Needs the full styles. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [goOn, setGoOn] = useState<() => void>();
  const isAllowed = useRef(false);
  useEffect(() => {
    if (!isDirty) return undefined;
    isAllowed.current = false;
    const beforeUnload = (event: Event): void => {
      if (!isAllowed.current) event.preventDefault();
    };
    const beforeNavigation = (event: Event): void => {
      const { destination, navigationType, hashChange } = event as NavigateEvent;
      const target = new URL(destination.url);
      const stays = hashChange || target.pathname === location.pathname;
      if (isAllowed.current || stays || !destination.sameDocument || !event.cancelable) return;
      event.preventDefault();
      setGoOn(() => () => {
        isAllowed.current = true;
        if (navigationType === "traverse") navigation?.traverseTo(destination.key);
        else navigate(target.pathname + target.search);
      });
    };
    addEventListener("beforeunload", beforeUnload);
    navigation?.addEventListener("navigate", beforeNavigation);
    return () => {
      removeEventListener("beforeunload", beforeUnload);
      navigation?.removeEventListener("navigate", beforeNavigation);
    };
  }, [isDirty, navigate]);
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
