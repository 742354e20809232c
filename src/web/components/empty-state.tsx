import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

interface EmptyStateProps {
  /** What there is not. */
  title: string;
  /** What one could do about it, or what would stand here. */
  children?: ReactNode;
  /** The button that does it. */
  action?: ReactNode;
}

/** Stands where there is nothing yet, and teaches what there could be. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.words}>{children}</div>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
