import { Button, Skeleton } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useParams } from "wouter";
import type { Rule } from "../../shared/api/stun.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DeleteButton } from "../components/delete-button.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useTasks } from "../callbacks/queries.ts";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useNotify } from "../app/notices.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { LinkedTasks } from "./linked-tasks.tsx";
import { LiveState } from "./live-state.tsx";
import { MappingTimeline } from "./mapping-timeline.tsx";
import { Observations } from "./observations.tsx";
import { useRule } from "./queries.ts";
import { RuleSettings } from "./rule-settings.tsx";
import { SwitchRule } from "./switch-rule.tsx";

/** One rule: how it is, how it was, what it starts. */
export function RulePage() {
  const { t } = useTranslation("stun");
  const id = Number(useParams().id);
  useLiveQueries();
  const { data: rule, error, refetch } = useRule(id);
  const back = { href: pageAddress("stunRules"), label: t("title") };
  if (!rule) {
    return (
      <>
        <PageHeader title={t("rule")} back={back} />
        {error ? (
          <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <Skeleton height={20} width="40%" mb="md" />
            <CardSkeleton height={240} />
          </>
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={rule.name}
        back={back}
        lead={t("ruleLead", { transport: rule.transport.toUpperCase() })}
        actions={<Actions rule={rule} />}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      <LiveState rule={rule} />
      <MappingTimeline id={id} />
      <LinkedTasks rule={rule} />
      <Observations id={id} />
      <RuleSettings rule={rule} />
    </>
  );
}

function Actions({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const { t: editing } = useTranslation("editing");
  const client = useQueryClient();
  const notify = useNotify();
  const [, navigate] = useLocation();
  const { data: tasks = [] } = useTasks();
  const users = tasks
    .filter((task) => task.stun_rule_id === rule.id)
    .map(({ id, name }) => ({ name, href: pageAddress("callbackTask", id) }));
  const leave = (): void => {
    navigate(pageAddress("stunRules"));
    notify({ message: t("delete.done", { name: rule.name }) });
    void client.invalidateQueries({ queryKey: ["stun", "rules"] });
  };
  return (
    <>
      <SwitchRule rule={rule} />
      <Button
        component={Link}
        href={pageAddress("editStunRule", rule.id)}
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
      >
        {editing("edit")}
      </Button>
      <DeleteButton
        label={t("delete.action")}
        name={rule.name}
        users={users}
        usersWords={t("delete.used")}
        path={`/api/stun/rules/${rule.id}`}
        onRemoved={leave}
      >
        {t("delete.what")}
      </DeleteButton>
    </>
  );
}
