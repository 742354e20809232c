import { useTranslation } from "react-i18next";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useStats } from "./queries.ts";
import classes from "./totals.module.css";

/** The fleet in four numbers. */
export function Totals() {
  const { t } = useTranslation("status");
  const format = useFormat();
  const { data: stats, error, refetch } = useStats();
  if (!stats) {
    if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
    return <CardSkeleton height={96} />;
  }
  const facts: [string, string, string?][] = [
    [
      t("totals.online"),
      format.count(stats.online_nodes),
      t("totals.of", { total: format.count(stats.total_nodes) }),
    ],
    [t("totals.bandwidth"), format.bandwidth(stats.total_bandwidth)],
    [t("totals.domestic"), format.count(stats.domestic_nodes)],
    [t("totals.overseas"), format.count(stats.overseas_nodes)],
  ];
  return (
    <dl className={classes.totals}>
      {facts.map(([name, value, aside]) => (
        <div key={name} className={classes.total}>
          <dt>{name}</dt>
          <dd>
            <span className={classes.value}>{value}</span>
            {aside !== undefined && <span className={classes.aside}>{aside}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
