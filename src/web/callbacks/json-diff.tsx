import { useTranslation } from "react-i18next";
import classes from "./json-diff.module.css";
import { diffLines, type DiffLine } from "./line-diff.ts";

const signs = { same: " ", removed: "−", added: "+" } as const;

/** Two values beside each other, as text; what differs is marked by sign and colour. */
export function JsonDiff({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation("callback-tasks");
  const found = diffLines(toLines(before), toLines(after));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <div className={classes.diff} tabIndex={0} role="region" aria-label={t("dryRun.difference")}>
      {found.map((line, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
        <Line key={n} line={line} />
      ))}
    </div>
  );
}

function Line({ line: { kind, text } }: { line: DiffLine }) {
  const { t } = useTranslation("callback-tasks");
  return (
    <div className={classes.line} data-kind={kind}>
      <span aria-hidden className={classes.sign}>
        {signs[kind]}
      </span>
      {kind !== "same" && <span className={classes.word}>{t(`dryRun.${kind}`)} </span>}
      <span>{text}</span>
    </div>
  );
}

/** Nothing of what is not there. */
function toLines(value: unknown): string[] {
  return value === null || value === undefined ? [] : JSON.stringify(value, null, 2).split("\n");
}
