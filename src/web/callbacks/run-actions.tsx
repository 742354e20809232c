import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { RunChanged, RunStatus, RunWithAttempts } from "../../shared/api/callbacks.ts";
import { useNotify } from "../app/notices.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";

type Action = "retry" | "cancel";

const open: ReadonlySet<RunStatus> = new Set(["queued", "running", "retrying"]);
/** One that is about to be tried anyway needs nobody to ask for it. */
const soon: ReadonlySet<RunStatus> = new Set(["queued", "running"]);

/** Tries a run again as a new one, or ends one that is not finished. */
export function RunActions({ run }: { run: RunWithAttempts }) {
  const { t } = useTranslation("callback-runs");
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Action>();
  const act = useMutation({
    mutationFn: (action: Action) =>
      api.post<Static<typeof RunChanged>>(`/api/callbacks/runs/${run.id}/${action}`),
    onSuccess: async (answer, action) => {
      await client.invalidateQueries({ queryKey: ["callbacks"] });
      setAsked(undefined);
      if (action === "cancel") return notify({ message: t("cancel.done") });
      notify({ message: t("retry.done", { id: answer.run.id }) });
      return navigate(pageAddress("callbackRun", answer.run.id));
    },
  });
  const ask = (action: Action): void => {
    act.reset();
    setAsked(action);
  };
  const { status } = run;
  return (
    <>
      {!soon.has(status) && (
        <Button variant={status === "failed" ? "filled" : "default"} onClick={() => ask("retry")}>
          {t("retry.action")}
        </Button>
      )}
      {open.has(status) && (
        <Button variant="default" onClick={() => ask("cancel")}>
          {t("cancel.action")}
        </Button>
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={t(`${asked ?? "retry"}.action`)}
        action={t(`${asked ?? "retry"}.action`)}
        isPending={act.isPending}
        error={act.error}
        onConfirm={() => asked && act.mutate(asked)}
        onClose={() => setAsked(undefined)}
      >
        {t(`${asked ?? "retry"}.what`)}
      </ConfirmDialog>
    </>
  );
}
