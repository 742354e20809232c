import { useTranslation } from "react-i18next";
import { useFormat } from "../lib/use-format.ts";
import classes from "./load-bar.module.css";

interface LoadBarProps {
  /** What is measured: "Bandwidth". */
  label: string;
  used: number;
  /** 0: without a limit, or unknown. */
  limit: number;
  format: (value: number) => string;
  /** Where something else, a column's heading, shows the label. */
  isCompact?: boolean;
}

const BUSY = 0.7;
const FULL = 0.9;

/** How much of something is used, as a bar and in numbers. */
export function LoadBar({ label, used, limit, format, isCompact = false }: LoadBarProps) {
  const { t } = useTranslation();
  const numbers = useFormat();
  const share = limit > 0 ? used / limit : undefined;
  const amount =
    share === undefined
      ? format(used)
      : t("usedOf", { used: format(used), limit: format(limit), share: numbers.share(share) });
  return (
    <div className={classes.load}>
      <div className={classes.words} data-compact={isCompact || undefined}>
        {isCompact ? <span>{format(used)}</span> : <span className={classes.label}>{label}</span>}
        <span className={isCompact ? classes.label : undefined}>
          {isCompact ? share !== undefined && numbers.share(share) : amount}
        </span>
      </div>
      <div
        className={classes.track}
        data-unlimited={share === undefined || undefined}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={share === undefined ? Math.max(used, 1) : limit}
        aria-valuenow={Math.min(used, share === undefined ? Math.max(used, 1) : limit)}
        aria-valuetext={amount}
        title={amount}
      >
        {share !== undefined && (
          <div
            className={classes.fill}
            data-level={share >= FULL ? "full" : share >= BUSY ? "busy" : "easy"}
            style={{ width: `${Math.min(share, 1) * 100}%` }}
          />
        )}
      </div>
    </div>
  );
}
