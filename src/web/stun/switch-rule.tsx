import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Rule } from "../../shared/api/stun.ts";
import { useNotify } from "../app/notices.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { useApi } from "../lib/services.tsx";

/** Switches a rule on, or after a question off. */
export function SwitchRule({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const { t: common } = useTranslation();
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const toWords = useErrorWords();
  const [isOpen, setOpen] = useState(false);
  const change = useMutation({
    mutationFn: (enabled: boolean) => api.put(`/api/stun/rules/${rule.id}`, { enabled }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["stun"] });
      setOpen(false);
    },
    onError: (error, enabled) => {
      if (enabled) notify({ kind: "bad", message: toWords(error) });
    },
  });
  if (!rule.enabled) {
    return (
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={change.isPending}
        onClick={() => change.mutate(true)}
      >
        {t("switch.on")}
      </Button>
    );
  }
  const open = (): void => {
    change.reset();
    setOpen(true);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={open}
      >
        {t("switch.off")}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={common("naming", { what: t("switch.off"), name: rule.name })}
        action={t("switch.off")}
        isPending={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate(false)}
        onClose={() => setOpen(false)}
      >
        {t("switch.what")}
      </ConfirmDialog>
    </>
  );
}
