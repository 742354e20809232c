import { useState, type ReactNode } from "react";
import classes from "./fold.module.css";

interface FoldProps {
  title: string;
  lead?: ReactNode;
  /** Opens it, so that what is wrong inside can be seen. */
  isForcedOpen?: boolean;
  /** Within a surface already. */
  isPlain?: boolean;
  children: ReactNode;
}

/** A part of a form that most do not need. What is inside stays there when it is closed. */
export function Fold(props: FoldProps) {
  const { title, lead, isForcedOpen = false, isPlain = false, children } = props;
  const [isOpen, setOpen] = useState(isForcedOpen);
  const [wasForced, setForced] = useState(isForcedOpen);
  if (isForcedOpen !== wasForced) {
    setForced(isForcedOpen);
    if (isForcedOpen) setOpen(true);
  }
  return (
    <details
      className={classes.fold}
      data-plain={isPlain || undefined}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={classes.title}>{title}</summary>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      <div className={classes.content}>{children}</div>
    </details>
  );
}
