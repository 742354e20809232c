import { Fragment, type ReactNode } from "react";
import classes from "./key-value.module.css";

/** Facts by name, one below the other. */
export function KeyValue({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.list}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
