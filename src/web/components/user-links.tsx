import { Fragment } from "react";
import { Link } from "wouter";

interface UserLinksProps {
  users: readonly { name: string; href: string }[];
  /** Said where nothing uses it. */
  none: string;
}

/** What uses a thing, each with the way to it. */
export function UserLinks({ users, none }: UserLinksProps) {
  if (users.length === 0)
    return <span style={{ color: "var(--mantine-color-dimmed)" }}>{none}</span>;
  return users.map(({ name, href }, n) => (
    <Fragment key={href}>
      {n > 0 && ", "}
      <Link href={href}>{name}</Link>
    </Fragment>
  ));
}
