import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Rule } from "../../shared/api/stun.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { DataTable, type Column } from "../components/data-table.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TableSkeleton } from "../components/table-skeleton.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useLiveQueries } from "../lib/live.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useRules, useStandIns } from "./queries.ts";
import { publicAddress, RuleStatusBadge, RuleStatusWords, StandIn } from "./rule-status.tsx";
import classes from "./stun.module.css";

/** Every rule with its live state. */
export function RulesPage() {
  const { t } = useTranslation("stun");
  useLiveQueries();
  const { data: rules, error, refetch } = useRules();
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={rules?.length === 0 ? undefined : <NewRule />}
      />
      {error && <ErrorNotice title={t("notLoaded")} error={error} onRetry={() => void refetch()} />}
      {!rules && !error && <TableSkeleton rows={4} />}
      {rules?.length === 0 && (
        <EmptyState title={t("empty.title")} action={<NewRule />}>
          <p>{t("empty.what")}</p>
          <p>
            <Link href={pageAddress("diagnosis")}>{t("empty.diagnose")}</Link>
          </p>
        </EmptyState>
      )}
      {rules && rules.length > 0 && <Rules rules={rules} />}
    </>
  );
}

function NewRule() {
  const { t } = useTranslation("stun");
  return (
    <Button
      component={Link}
      href={pageAddress("newStunRule")}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t("new.action")}
    </Button>
  );
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  const { t } = useTranslation("stun");
  const standIns = useStandIns();
  const columns: Column<Rule>[] = [
    {
      key: "name",
      header: t("rule"),
      isTitle: true,
      cell: ({ id, name, transport }) => (
        <>
          <Link href={pageAddress("stunRule", id)} className={classes.name}>
            {name}
          </Link>
          <div className={classes.transport}>{transport.toUpperCase()}</div>
        </>
      ),
    },
    {
      key: "state",
      header: t("state"),
      cell: (rule) => <State rule={rule} standIn={standIns.get(rule.id)} />,
    },
    { key: "address", header: t("publicAddress"), cell: ({ state }) => <Address state={state} /> },
    {
      key: "probe",
      header: t("lastProbe"),
      cell: ({ state }) => <Ago at={state.last_probe_at} />,
    },
    {
      key: "change",
      header: t("lastChange"),
      cell: ({ state }) => <Ago at={state.last_change_at} />,
    },
  ];
  return <DataTable caption={t("title")} columns={columns} rows={rules} rowKey={({ id }) => id} />;
}

function State({ rule, standIn }: { rule: Rule; standIn: string | undefined }) {
  const { state } = rule;
  return (
    <>
      <RuleStatusBadge status={state.status} />
      {state.status !== "open" && (
        <div className={classes.small}>
          <RuleStatusWords state={state} isShort />
        </div>
      )}
      {standIn !== undefined && (
        <div className={classes.small}>
          <StandIn rule={rule} standIn={standIn} length="short" />
        </div>
      )}
    </>
  );
}

function Address({ state }: { state: Rule["state"] }) {
  const { t } = useTranslation("stun");
  const address = publicAddress(state);
  return (
    <>
      {address === undefined ? (
        "–"
      ) : (
        <span className={classes.address}>
          <code>{address}</code>
          <CopyButton text={address} what={t("publicAddress")} />
        </span>
      )}
      {state.local_port !== null && (
        <div className={classes.small}>{t("ofLocalPort", { port: state.local_port })}</div>
      )}
    </>
  );
}

function Ago({ at }: { at: string | null }) {
  return <span className={classes.ago}>{at === null ? "–" : <TimeAgo at={at} />}</span>;
}
