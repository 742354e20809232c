import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import { Notifications, notifications } from "@mantine/notifications";
import type { Notice } from "./notices.tsx";

const SHOWN_MS = 6_000;

/** @param close the word on the button that takes it away */
export function showNotice({ message, kind = "good" }: Notice, close: string): void {
  const color = kind === "good" ? "pine" : "red";
  notifications.show({ message, color, closeButtonProps: { "aria-label": close } });
}

export function NoticesRegion() {
  return <Notifications position="bottom-right" autoClose={SHOWN_MS} />;
}
