import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Static } from "typebox";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { CallbackTask, RunChanged } from "../../shared/api/callbacks.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { NoMappingNotice } from "./no-mapping-notice.tsx";

/** Runs the task with the live mapping of its rule, and leads to the run. */
export function RunNow({ task }: { task: CallbackTask }) {
  const { t } = useTranslation("callback-tasks");
  const { t: common } = useTranslation();
  const api = useApi();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const start = useMutation({
    mutationFn: () => api.post<Static<typeof RunChanged>>(`/api/callbacks/tasks/${task.id}/run`),
    onSuccess: async ({ run }) => {
      await client.invalidateQueries({ queryKey: ["callbacks", "runs"] });
      navigate(pageAddress("callbackRun", run.id));
    },
  });
  const open = (): void => {
    start.reset();
    setOpen(true);
  };
  return (
    <>
      <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={open}>
        {t("run.action")}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={common("naming", { what: t("run.action"), name: task.name })}
        action={t("run.action")}
        isPending={start.isPending}
        onConfirm={() => start.mutate()}
        onClose={() => setOpen(false)}
      >
        {t("run.what")}
        {start.error && <NoMappingNotice error={start.error} ruleId={task.stun_rule_id} />}
      </ConfirmDialog>
    </>
  );
}
