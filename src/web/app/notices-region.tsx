import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import { Notifications, notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import type { Notice } from "./notices.tsx";

const SHOWN_MS = 6_000;

export function showNotice({ message, kind = "good" }: Notice): void {
  notifications.show({ message, color: kind === "good" ? "pine" : "red" });
}

export function NoticesRegion() {
  const { t } = useTranslation("shell");
  return <Notifications position="bottom-right" autoClose={SHOWN_MS} aria-label={t("notices")} />;
}
