import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useParams } from "wouter";
import type { CallbackTask, TaskChanged } from "../../shared/api/callbacks.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DeleteButton } from "../components/delete-button.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { sendChanges } from "../lib/changes.ts";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useBegun } from "../lib/use-begun.ts";
import { useFresh } from "../lib/use-fresh.ts";
import { DryRun } from "./dry-run.tsx";
import { useTask } from "./queries.ts";
import { RecentRuns } from "./recent-runs.tsx";
import { RunNow } from "./run-now.tsx";
import { TaskForm } from "./task-form.tsx";
import { toTaskBody, toTaskChange, toTaskValues } from "./task-values.ts";

/** One task: its last runs, a rehearsal, and its fields. */
export function TaskPage() {
  const { t } = useTranslation("callback-tasks");
  const id = Number(useParams().id);
  useLiveQueries();
  const query = useTask(id);
  const { error, refetch } = query;
  const task = useFresh(query);
  return (
    <>
      <PageHeader
        title={task?.name ?? t("task")}
        back={{ href: pageAddress("callbackTasks"), label: t("title") }}
        {...(task && { actions: <Actions task={task} /> })}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      {!task && !error && <CardSkeleton height={320} />}
      {task && <Task task={task} />}
    </>
  );
}

function Task({ task }: { task: CallbackTask }) {
  const { t } = useTranslation("callback-tasks");
  return (
    <>
      <Section
        title={t("runs")}
        actions={
          <Link href={pageAddress("callbackRuns", undefined, { task_id: task.id })}>
            {t("allRuns")}
          </Link>
        }
      >
        <RecentRuns taskId={task.id} />
      </Section>
      <DryRun task={task} />
      <EditForm task={task} />
    </>
  );
}

function EditForm({ task }: { task: CallbackTask }) {
  const { t } = useTranslation("callback-tasks");
  const { t: editing } = useTranslation("editing");
  const api = useApi();
  const notify = useNotify();
  const { begun, round, loadAnew } = useBegun(task, (each) => toTaskBody(toTaskValues(each)));
  const initialValues = toTaskValues(begun);
  return (
    <TaskForm
      key={round}
      initialValues={initialValues}
      action={editing("save")}
      loadAnew={loadAnew}
      send={(values) =>
        sendChanges(toTaskChange(initialValues, values), { task }, (changes) =>
          api.put<Static<typeof TaskChanged>>(`/api/callbacks/tasks/${task.id}`, changes),
        )
      }
      onSaved={(answer) => {
        notify({ message: t("saved", { name: answer.task.name }) });
        return pageAddress("callbackTasks");
      }}
    />
  );
}

function Actions({ task }: { task: CallbackTask }) {
  const { t } = useTranslation("callback-tasks");
  const notify = useNotify();
  const [, navigate] = useLocation();
  return (
    <>
      <RunNow task={task} />
      <DeleteButton
        label={t("delete.action")}
        path={`/api/callbacks/tasks/${task.id}`}
        onRemoved={() => {
          navigate(pageAddress("callbackTasks"));
          notify({ message: t("delete.done", { name: task.name }) });
        }}
      >
        {t("delete.what")}
      </DeleteButton>
    </>
  );
}
