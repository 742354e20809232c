import type { ReactNode } from "react";
import classes from "./key-value.module.css";

/** Facts by name, in two columns where there is room. */
export function KeyValue({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.list}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
