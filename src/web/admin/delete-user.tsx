import { useTranslation } from "react-i18next";
import type { AdminUser } from "../../shared/api/admin.ts";
import { useNotify } from "../app/notices.tsx";
import { ConfirmByName } from "../components/confirm-by-name.tsx";
import { useDeleteUser } from "./queries.ts";

/** Deletes an account with its nodes, once its address was typed. */
export function DeleteUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation("admin");
  const notify = useNotify();
  const remove = useDeleteUser(user.id);
  const { email, node_count: count } = user;
  return (
    <ConfirmByName
      isOpen
      title={t("users.delete.title", { email })}
      name={email}
      action={t("users.delete.action")}
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            notify({ message: t("users.delete.done", { email }) });
            onClose();
          },
        })
      }
    >
      {count === 0 ? t("users.delete.whatNone") : t("users.delete.what", { count })}
    </ConfirmByName>
  );
}
