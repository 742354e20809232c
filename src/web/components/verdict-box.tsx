import type { ReactNode } from "react";
import classes from "./verdict-box.module.css";

interface VerdictBoxProps {
  tone: "good" | "warn" | "bad";
  title?: string;
  children: ReactNode;
}

/** How something turned out, in a calm colour and in words. */
export function VerdictBox({ tone, title, children }: VerdictBoxProps) {
  return (
    <div className={classes.box} data-tone={tone}>
      {title !== undefined && <p className={classes.title}>{title}</p>}
      <div className={classes.words}>{children}</div>
    </div>
  );
}
