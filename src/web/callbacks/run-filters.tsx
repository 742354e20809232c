import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { runStatuses } from "../../shared/api/callbacks.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useRules } from "../stun/queries.ts";
import { useTasks } from "./queries.ts";
import type { RunFilter } from "./run-filter.ts";
import classes from "./run-filters.module.css";

/** Chooses which runs are shown, by leading to another address. */
export function RunFilters({ filter }: { filter: RunFilter }) {
  const { t } = useTranslation("callback-runs");
  const [, navigate] = useLocation();
  const { data: tasks = [] } = useTasks();
  const { data: rules = [] } = useRules();
  const choose = (name: keyof RunFilter, value: string): void => {
    const query = { ...filter, [name]: value === "" ? undefined : value };
    navigate(pageAddress("callbackRuns", undefined, query));
  };
  return (
    <div className={classes.filters} role="search" aria-label={t("filter.title")}>
      <NativeSelect
        label={t("task")}
        value={filter.task_id ?? ""}
        data={[all(t("filter.allTasks")), ...withChosen(tasks, filter.task_id)]}
        onChange={(event) => choose("task_id", event.currentTarget.value)}
      />
      <NativeSelect
        label={t("rule")}
        value={filter.rule_id ?? ""}
        data={[all(t("filter.allRules")), ...withChosen(rules, filter.rule_id)]}
        onChange={(event) => choose("rule_id", event.currentTarget.value)}
      />
      <NativeSelect
        label={t("statusWord")}
        value={filter.status ?? ""}
        data={[
          all(t("filter.allStatuses")),
          ...runStatuses.map((status) => ({ value: status, label: t(`status.${status}`) })),
        ]}
        onChange={(event) => choose("status", event.currentTarget.value)}
      />
    </div>
  );
}

interface Choice {
  value: string;
  label: string;
}

function all(label: string): Choice {
  return { value: "", label };
}

/** The runs of what was deleted can be looked for, too. */
function withChosen(
  things: readonly { id: number; name: string }[],
  chosen: number | undefined,
): Choice[] {
  const choices = things.map(({ id, name }) => ({ value: String(id), label: name }));
  const isKnown = chosen === undefined || things.some(({ id }) => id === chosen);
  return isKnown ? choices : [...choices, { value: String(chosen), label: `#${chosen}` }];
}
