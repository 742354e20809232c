import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import { ActionIcon, Menu } from "@mantine/core";
import { IconLogout, IconUser, IconUserCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { useServices } from "../lib/services.tsx";
import type { Session } from "../lib/session.ts";

/** What whoever is signed in can do about the account. */
export function AccountMenu({ session }: { session: Session }) {
  const { t } = useTranslation("shell");
  const { sessions } = useServices();
  const [, navigate] = useLocation();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="light"
          size="lg"
          radius="xl"
          aria-label={t("account", { email: session.email })}
        >
          <IconUser size={19} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.email}</Menu.Label>
        <Menu.Item
          component={Link}
          href={pagePaths.profile}
          leftSection={<IconUserCircle size={17} stroke={1.7} aria-hidden />}
        >
          {t("pages.profile")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={17} stroke={1.7} aria-hidden />}
          onClick={() => {
            navigate(pagePaths.status);
            sessions.finish("signed_out");
          }}
        >
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
