import { registry } from "./001-registry.ts";
import { stun } from "./002-stun.ts";
import { callbacks } from "./003-callbacks.ts";
import { domains } from "./004-domains.ts";
import { instances } from "./005-instances.ts";
import { publications } from "./006-publications.ts";
import type { Migration } from "./migration.ts";

/** Forward only, in order; a released migration is never edited. */
export const migrations: readonly Migration[] = [
  registry,
  stun,
  callbacks,
  domains,
  instances,
  publications,
];
