import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useLiveQueries } from "../lib/live.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./admin.module.css";
import { BackupStep, useBackupArranged } from "./backup-step.tsx";
import { ChecklistStep } from "./checklist-step.tsx";
import { useSystemState, type SystemState } from "./checklist.ts";
import { toSteps } from "./steps.ts";

/** Where administrators arrive: how the system is, and what is worth doing next. */
export function ChecklistPage() {
  const { t } = useTranslation("admin");
  useLiveQueries();
  const { data, error, isPending, refetch } = useSystemState();
  return (
    <>
      <PageHeader title={t("checklist.title")} lead={t("checklist.lead")} />
      {error && (
        <ErrorNotice title={t("checklist.failed")} error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <CardSkeleton height={420} />}
      {data && (
        <>
          <Figures state={data} />
          <Steps state={data} />
        </>
      )}
    </>
  );
}

function Figures({ state: { stats, rules, run } }: { state: SystemState }) {
  const { t } = useTranslation("admin");
  const format = useFormat();
  const isOf = (part: number, all: number): string =>
    all === 0
      ? t("checklist.noneYet")
      : t("checklist.of", { part: format.count(part), all: format.count(all) });
  const mapped = rules.filter(({ state }) => state.public_ip !== null).length;
  return (
    <div className={classes.figures}>
      <Figure
        href={pagePaths.allNodes}
        name={t("checklist.nodesOnline")}
        value={isOf(stats.online_nodes, stats.total_nodes)}
        hint={format.bandwidth(stats.total_bandwidth)}
      />
      <Figure
        href={pagePaths.stunRules}
        name={t("checklist.rulesMapped")}
        value={isOf(mapped, rules.length)}
        hint={t("checklist.rulesHint")}
      />
      <Figure
        href={pagePaths.callbackRuns}
        name={t("checklist.lastRun")}
        value={run ? t(`checklist.runs.${run.status}`) : "–"}
        hint={run ? <TimeAgo at={run.created_at} /> : t("checklist.noRun")}
      />
    </div>
  );
}

interface FigureProps {
  href: string;
  name: string;
  value: string;
  hint: ReactNode;
}

function Figure({ href, name, value, hint }: FigureProps) {
  return (
    <Link href={href} className={classes.figure}>
      <div className={classes.figureName}>{name}</div>
      <div className={classes.figureValue}>{value}</div>
      <div className={classes.figureHint}>{hint}</div>
    </Link>
  );
}

function Steps({ state }: { state: SystemState }) {
  const { t } = useTranslation("admin");
  const [isArranged, arrange] = useBackupArranged();
  const steps = toSteps(state);
  const all = steps.length + 1;
  const done = steps.filter(({ isDone }) => isDone).length + Number(isArranged);
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Section
      title={t("checklist.next")}
      lead={done === all ? t("checklist.allDone") : t("checklist.progress", { done, all })}
    >
      <ol className={classes.steps}>
        {steps.map((step) => {
          const { name, isDone, href } = step;
          return (
            <ChecklistStep
              key={name}
              isNext={step === next}
              title={t(`steps.${name}.title`)}
              hint={t(`steps.${name}.hint`)}
              action={t(`steps.${name}.action`)}
              href={href}
              isDone={isDone}
            />
          );
        })}
        <BackupStep isArranged={isArranged} onArrange={arrange} />
      </ol>
    </Section>
  );
}
