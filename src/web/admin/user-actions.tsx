import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminUser } from "../../shared/api/admin.ts";
import { DeleteUser } from "./delete-user.tsx";
import { ResetLink } from "./reset-link.tsx";
import { UserRights, type RightsChange } from "./user-rights.tsx";

type Dialog = RightsChange | "resetLink" | "delete";

/** What an administrator can do with an account. */
export function UserActions({ user }: { user: AdminUser }) {
  const { t } = useTranslation("admin");
  const button = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<Dialog>();
  const close = (): void => {
    setDialog(undefined);
    // The entry of the menu that opened the dialog is gone by now.
    setTimeout(() => button.current?.focus());
  };
  const entries: Dialog[] = [
    user.is_admin ? "demote" : "promote",
    user.disabled ? "enable" : "disable",
    "resetLink",
    "delete",
  ];
  return (
    <>
      <Menu position="bottom-end" returnFocus={false}>
        <Menu.Target>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("users.actionsFor", { email: user.email })}
          >
            <IconDots size={19} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {entries.map((each) => (
            <Menu.Item
              key={each}
              onClick={() => setDialog(each)}
              {...(each === "delete" && { c: "var(--wp-bad)" })}
            >
              {t(`users.entries.${each}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialog === "resetLink" && <ResetLink user={user} onClose={close} />}
      {dialog === "delete" && <DeleteUser user={user} onClose={close} />}
      {dialog !== undefined && dialog !== "resetLink" && dialog !== "delete" && (
        <UserRights user={user} change={dialog} onClose={close} />
      )}
    </>
  );
}
