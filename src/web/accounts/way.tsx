import { Anchor } from "@mantine/core";
import { Link } from "wouter";

/** A link to another page of the app, in running text. */
export function Way({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} href={to} inherit underline="always">
      {children}
    </Anchor>
  );
}
