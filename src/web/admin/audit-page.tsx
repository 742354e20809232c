import { Anchor, Button, NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "../../shared/api/admin.ts";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./admin.module.css";
import { AuditDetails } from "./audit-details.tsx";
import { MoreButton } from "./more-button.tsx";
import { useAudit } from "./queries.ts";
import { TextFilter } from "./text-filter.tsx";
import { useFilter } from "./use-filter.ts";

/** What can be changed: the first halves of the actions. */
const nouns = [
  "user",
  "node",
  "stun_rule",
  "callback_account",
  "callback_task",
  "callback_run",
  "domain_account",
  "node_publication",
  "system",
  "secret_key",
] as const;
const names = ["action", "actor", "subject"] as const;
const nothing = { action: "", actor: "", subject: "" };
type Filter = Record<(typeof names)[number], string>;

/** Who changed what, for administrators. */
export function AuditPage() {
  const { t } = useTranslation("admin");
  const [filter, setFilter] = useFilter(names);
  const entries = useAudit({
    action: filter.action,
    actor: filter.actor.trim(),
    subject: filter.subject.trim(),
  });
  const showAll = (
    <Button variant="default" onClick={() => setFilter(nothing)}>
      {t("audit.showAll")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("audit.title")} lead={t("audit.lead")} />
      <AuditFilters filter={filter} onChange={setFilter} />
      {entries.error && (
        <ErrorNotice
          title={t("audit.failed")}
          error={entries.error}
          onRetry={() => void entries.refetch()}
        />
      )}
      {entries.isPending && <TableSkeleton />}
      {entries.data?.length === 0 && (
        <EmptyState title={t("audit.none")} action={showAll}>
          {t("audit.noneHint")}
        </EmptyState>
      )}
      {entries.data !== undefined && entries.data.length > 0 && (
        <AuditTable
          entries={entries.data}
          onSubject={(subject) => setFilter({ ...nothing, subject })}
        />
      )}
      <MoreButton list={entries} />
    </>
  );
}

interface AuditFiltersProps {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
}

function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { t } = useTranslation("admin");
  return (
    <div className={classes.filters} role="search">
      <NativeSelect
        label={t("audit.what")}
        value={filter.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
        data={[
          { value: "", label: t("audit.everything") },
          ...nouns.map((value) => ({ value, label: t(`nouns.${value}`) })),
        ]}
      />
      <TextFilter
        label={t("audit.who")}
        value={filter.actor}
        onChange={(actor) => onChange({ actor })}
      />
      <TextFilter
        label={t("audit.subject")}
        placeholder="user:7"
        value={filter.subject}
        onChange={(subject) => onChange({ subject })}
      />
    </div>
  );
}

interface AuditTableProps {
  entries: readonly AuditEntry[];
  onSubject: (subject: string) => void;
}

function AuditTable({ entries, onSubject }: AuditTableProps) {
  const { t, i18n } = useTranslation("admin");
  const format = useFormat();
  const sayAction = (action: string): string => {
    const key = `actions.${action}`;
    return i18n.exists(key, { ns: "admin" }) ? t(key as "actions.user.register") : action;
  };
  const columns: Column<AuditEntry>[] = [
    {
      key: "action",
      header: t("audit.what"),
      isTitle: true,
      cell: ({ action, subject }) => (
        <>
          <span title={action}>{sayAction(action)}</span>
          <div className={classes.second}>
            <Anchor
              component="button"
              type="button"
              inherit
              mih="1.5rem"
              title={t("audit.onlySubject", { subject })}
              onClick={() => onSubject(subject)}
            >
              {subject}
            </Anchor>
          </div>
        </>
      ),
    },
    {
      key: "details",
      header: t("audit.details"),
      isWide: true,
      cell: ({ action, details }) => <AuditDetails action={action} details={details} />,
    },
    { key: "actor", header: t("audit.who"), cell: ({ actor }) => actor },
    {
      key: "at",
      header: t("audit.when"),
      cell: ({ at }) => (
        <time dateTime={at} className={classes.nowrap}>
          {format.dateTime(at)}
        </time>
      ),
    },
  ];
  return (
    <DataTable
      caption={t("audit.title")}
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}
