import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import type { TaskChanged } from "../../shared/api/callbacks.ts";
import { useNotify } from "../app/notices.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { TaskForm } from "./task-form.tsx";
import { toTaskBody } from "./task-values.ts";

/** The rule may be named in the address. */
export function NewTaskPage() {
  const { t } = useTranslation("callback-tasks");
  const api = useApi();
  const notify = useNotify();
  const rule = new URLSearchParams(useSearch()).get("rule") ?? "";
  return (
    <>
      <PageHeader title={t("new.title")} lead={t("new.lead")} />
      <TaskForm
        initialValues={{
          name: "",
          enabled: true,
          trigger: "stun_ip_or_port_change",
          stun_rule_id: rule,
          account_id: "",
        }}
        action={t("new.submit")}
        send={(values) =>
          api.post<Static<typeof TaskChanged>>("/api/callbacks/tasks", toTaskBody(values))
        }
        onSaved={({ task }) => {
          notify({ message: t("new.done", { name: task.name }) });
          return pageAddress("callbackTask", task.id);
        }}
      />
    </>
  );
}
