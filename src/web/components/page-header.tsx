import { Title } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useServices } from "../lib/services.tsx";
import classes from "./page-header.module.css";

interface PageHeaderProps {
  title: string;
  /** One sentence about what one does here. */
  lead?: ReactNode;
  /** The list that this page is about one thing of. */
  back?: { href: string; label: string };
  /** Buttons. */
  actions?: ReactNode;
}

/** The heading of a page, which gives the document its title too. Every page has exactly one. */
export function PageHeader({ title, lead, back, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { arrivals } = useServices();
  const [path] = useLocation();
  useEffect(() => {
    document.title = `${title} · Waypost`;
  }, [title]);
  // Who has come here by a link hears where it has led.
  useEffect(() => {
    if (arrivals.take(path)) heading.current?.focus({ preventScroll: true });
  }, [arrivals, path]);
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        {back && (
          <Link href={back.href} className={classes.back}>
            <span aria-hidden>←</span>
            {back.label}
          </Link>
        )}
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
