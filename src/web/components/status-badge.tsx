import classes from "./status-badge.module.css";

export type Tone = "good" | "warn" | "bad" | "calm" | "busy";

/** A state as a dot and a word: the colour never says it alone. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
