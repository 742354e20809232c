import type { ReactNode } from "react";
import { Link } from "wouter";
import classes from "./choice-cards.module.css";

interface Choice {
  href: string;
  name: string;
  /** In a sentence. */
  what: string;
  icon?: ReactNode;
}

/** Kinds of a thing to begin with, as cards that lead on. */
export function ChoiceCards({ label, choices }: { label: string; choices: readonly Choice[] }) {
  return (
    <ul className={classes.cards} aria-label={label}>
      {choices.map(({ href, name, what, icon }) => (
        <li key={href}>
          <Link href={href} className={classes.card}>
            {icon}
            <strong>{name}</strong>
            <span>{what}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
