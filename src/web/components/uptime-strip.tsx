import { useTranslation } from "react-i18next";
import { useFormat } from "../lib/use-format.ts";
import classes from "./uptime-strip.module.css";

export interface UptimePiece {
  /** ISO 8601 */
  from: string;
  /** 0–1; undefined: not known. */
  uptime: number | undefined;
}

const GOOD = 0.99;

/** How a stretch of time was, piece by piece. */
export function UptimeStrip({ pieces }: { pieces: readonly UptimePiece[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const known = pieces.flatMap(({ uptime }) => (uptime === undefined ? [] : [uptime]));
  const mean = known.reduce((sum, each) => sum + each, 0) / Math.max(known.length, 1);
  const summary =
    known.length === 0 ? t("uptimeUnknown") : t("uptime", { share: format.share(mean) });
  return (
    <div>
      <div className={classes.strip} role="img" aria-label={summary}>
        {pieces.map(({ from, uptime }) => (
          <span
            key={from}
            className={classes.piece}
            data-level={
              uptime === undefined ? "none" : uptime >= GOOD ? "good" : uptime > 0 ? "part" : "down"
            }
            title={`${format.dayAndTime(from)}: ${uptime === undefined ? "–" : format.share(uptime)}`}
          />
        ))}
      </div>
      <p className={classes.summary}>{summary}</p>
    </div>
  );
}
