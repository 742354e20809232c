import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";

/** A step of the schema. */
export interface Migration {
  name: string;
  /** Whether a program that does not know this migration must refuse to run on the result. */
  breaking: boolean;
  up: (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;
}
