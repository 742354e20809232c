import type { ReactNode } from "react";
import { PageHeader } from "../components/page-header.tsx";
import classes from "./account-card.module.css";

interface AccountCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links to what one may have wanted instead. */
  otherWays?: ReactNode;
}

/** A page with one small form in the middle. */
export function AccountCard({ title, lead, children, otherWays }: AccountCardProps) {
  return (
    <div className={classes.narrow}>
      <PageHeader title={title} lead={lead} />
      <div className={classes.card}>{children}</div>
      {otherWays !== undefined && <div className={classes.ways}>{otherWays}</div>}
    </div>
  );
}
