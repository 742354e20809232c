import { useTranslation } from "react-i18next";
import type { StunObservation } from "../../shared/api/stun.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DataTable, type Column } from "../components/data-table.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Said } from "../components/said.tsx";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useObservations } from "./queries.ts";
import { publicAddress } from "./rule-status.tsx";
import { RttChart } from "./rtt-chart.tsx";
import classes from "./observations.module.css";

const ROWS = 50;

/** What single probes showed: how long each server took, and which were silent. */
export function Observations({ id }: { id: number }) {
  const { t } = useTranslation("stun");
  const { data, error, refetch } = useObservations(id);
  return (
    <Section title={t("observations.title")} lead={t("observations.lead")}>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardSkeleton height={180} />}
      {data?.length === 0 && <p className={classes.none}>{t("observations.none")}</p>}
      {data && data.length > 0 && (
        <>
          <RttChart observations={data} />
          <details className={classes.table}>
            <summary>{t("observations.table", { count: Math.min(ROWS, data.length) })}</summary>
            <Table observations={data.slice(0, ROWS)} />
          </details>
        </>
      )}
    </Section>
  );
}

function Table({ observations }: { observations: readonly StunObservation[] }) {
  const { t } = useTranslation("stun");
  const format = useFormat();
  const columns: Column<StunObservation>[] = [
    {
      key: "at",
      header: t("observations.at"),
      isTitle: true,
      cell: ({ at }) => format.dateTime(at),
    },
    { key: "server", header: t("server"), cell: ({ server }) => <code>{server}</code> },
    {
      key: "seen",
      header: t("observations.seen"),
      cell: (seen) =>
        seen.error === null ? (
          <code>{publicAddress(seen)}</code>
        ) : (
          <span className={classes.failure}>
            <Said sentence={seen.error} />
          </span>
        ),
    },
    {
      key: "rtt",
      header: t("observations.rtt"),
      isRight: true,
      cell: ({ rtt_ms: ms }) => (ms === null ? "–" : format.milliseconds(ms)),
    },
  ];
  return (
    <DataTable
      caption={t("observations.title")}
      columns={columns}
      rows={observations}
      rowKey={({ at, server }) => `${at} ${server}`}
    />
  );
}
