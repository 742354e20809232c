import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AdminUser } from "../../shared/api/admin.ts";
import { pagePaths } from "../../shared/pages.ts";
import { FormErrors } from "../components/form-errors.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useResetLink } from "./queries.ts";

/** Makes a link with which the owner of an account sets a new password; it is shown once. */
export function ResetLink({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation("admin");
  const format = useFormat();
  const link = useResetLink(user.id);
  const { email } = user;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("users.resetLink.title", { email })}
      closeButtonProps={{ "aria-label": t("users.close") }}
    >
      <Stack>
        {link.data ? (
          <SecretOnce
            label={t("users.resetLink.label")}
            secret={`${location.origin}${pagePaths.resetPassword}?token=${encodeURIComponent(link.data.reset_token)}`}
          >
            <Text size="sm">
              {t("users.resetLink.made", { until: format.dateTime(link.data.expires_at) })}
            </Text>
          </SecretOnce>
        ) : (
          <Text>{t("users.resetLink.what")}</Text>
        )}
        <FormErrors error={link.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("users.close")}
          </Button>
          {!link.data && (
            <Button loading={link.isPending} onClick={() => link.mutate()} data-autofocus>
              {t("users.resetLink.action")}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
