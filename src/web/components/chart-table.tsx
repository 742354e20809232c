import { useState } from "react";
import { useTranslation } from "react-i18next";
import { thin, type ChartPoint } from "./chart-scale.ts";
import classes from "./history-chart.module.css";

const ROWS = 48;

interface ChartTableProps {
  label: string;
  points: readonly ChartPoint[];
  sayTime: (time: number) => string;
  format: (value: number) => string;
}

/** What the chart shows, for whoever would rather read it. */
export function ChartTable({ label, points, sayTime, format }: ChartTableProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("chart.table")}</summary>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("chart.time")}</th>
                <th scope="col">{label}</th>
              </tr>
            </thead>
            <tbody>
              {thin(points, ROWS).map(({ time, value }) => (
                <tr key={time}>
                  <td>{sayTime(time)}</td>
                  <td>{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
