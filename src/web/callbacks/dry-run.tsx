import { Button } from "@mantine/core";
import { IconTestPipe } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { CallbackTask, DryRunAnswer } from "../../shared/api/callbacks.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { Section } from "../components/section.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { useApi } from "../lib/services.tsx";
import { NoMappingNotice } from "./no-mapping-notice.tsx";

const JsonDiff = lazy(async () => ({ default: (await import("./json-diff.tsx")).JsonDiff }));

/** Shows what a run would change at the target, without changing it. */
export function DryRun({ task }: { task: CallbackTask }) {
  const { t } = useTranslation("callback-tasks");
  const api = useApi();
  const rehearsal = useMutation({
    mutationFn: () =>
      api.post<DryRunAnswer>(`/api/callbacks/tasks/${task.id}/run`, undefined, { dry_run: true }),
  });
  const result = rehearsal.data?.dry_run;
  return (
    <Section title={t("dryRun.title")} lead={t("dryRun.lead")}>
      <Button
        variant="default"
        leftSection={<IconTestPipe size={16} aria-hidden />}
        loading={rehearsal.isPending}
        onClick={() => rehearsal.mutate()}
      >
        {t("dryRun.action")}
      </Button>
      <div aria-live="polite" style={{ marginTop: "0.75rem" }}>
        {rehearsal.isPending && t("dryRun.running")}
        {rehearsal.error && <NoMappingNotice error={rehearsal.error} ruleId={task.stun_rule_id} />}
        {result && (
          <>
            <StatusBadge tone={result.changed ? "busy" : "good"}>
              {t(result.changed ? "dryRun.changes" : "dryRun.same")}
            </StatusBadge>
            <Suspense fallback={<CardSkeleton />}>
              <JsonDiff before={result.before} after={result.after} />
            </Suspense>
          </>
        )}
      </div>
    </Section>
  );
}
