import { useTranslation } from "react-i18next";
import type { AdminUser, UserUpdate } from "../../shared/api/admin.ts";
import { useNotify } from "../app/notices.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { useChangeUser } from "./queries.ts";

export type RightsChange = "promote" | "demote" | "disable" | "enable";

const bodies: Readonly<Record<RightsChange, UserUpdate>> = {
  promote: { is_admin: true },
  demote: { is_admin: false },
  disable: { disabled: true },
  enable: { disabled: false },
};

interface UserRightsProps {
  user: AdminUser;
  change: RightsChange;
  onClose: () => void;
}

/** Asks before an account gets or loses rights. */
export function UserRights({ user, change, onClose }: UserRightsProps) {
  const { t } = useTranslation("admin");
  const notify = useNotify();
  const save = useChangeUser(user.id);
  const { email } = user;
  return (
    <ConfirmDialog
      isOpen
      title={t(`users.${change}.title`, { email })}
      action={t(`users.${change}.action`)}
      isDangerous={change === "demote" || change === "disable"}
      isPending={save.isPending}
      error={save.error}
      onClose={onClose}
      onConfirm={() =>
        save.mutate(bodies[change], {
          onSuccess: () => {
            notify({ message: t(`users.${change}.done`, { email }) });
            onClose();
          },
        })
      }
    >
      {t(`users.${change}.what`)}
    </ConfirmDialog>
  );
}
