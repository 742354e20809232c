import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import { registry } from "./001-registry.ts";

export interface Migration {
  name: string;
  /** Whether a program that does not know this migration must refuse to run on the result. */
  breaking: boolean;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/** Forward only, in order; a released migration is never edited. */
export const migrations: readonly Migration[] = [registry];
