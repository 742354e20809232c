import { sql, type Expression, type SqlBool } from "kysely";

/** Whether a lower-case text holds `part`, in which no character means anything but itself. */
export function contains(text: Expression<string>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`${text} like ${`%${escape(part)}%`} escape '!'`;
}

/** Whether a lower-case text begins with `part`, in which no character means anything but itself. */
export function startsWith(text: Expression<string>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`${text} like ${`${escape(part)}%`} escape '!'`;
}

function escape(part: string): string {
  return part.replaceAll(/[!%_]/g, "!$&");
}
