import { Title } from "@mantine/core";
import { useId, type ReactNode } from "react";
import classes from "./section.module.css";

interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page, on a surface of its own. */
export function Section({ title, lead, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      <div className={classes.content}>{children}</div>
    </section>
  );
}
