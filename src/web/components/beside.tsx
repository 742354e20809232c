import type { ReactNode } from "react";
import classes from "./beside.module.css";

/** What one works on, and beside it, or below where there is no room, what helps with it. */
export function Beside({ help, children }: { help: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.beside}>
      <div>{children}</div>
      <div>{help}</div>
    </div>
  );
}
