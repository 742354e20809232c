import Database from "better-sqlite3";

/** How far a copy is, in pages of the file. */
export type OnPages = (copied: number, total: number) => void;

const PAGES_AT_ONCE = 512;

/**
 * Copies an SQLite file as it stands at the call, also while another process writes to it: every
 * transaction that has been committed before is in the copy, none that is committed later.
 * @param copy must not exist
 * @throws an error with an SQLite code
 */
export async function snapshotSqlite(file: string, copy: string, onPages: OnPages): Promise<void> {
  const source = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // An open read transaction keeps its view of the file; without it, each commit would begin the
    // copy anew.
    source.exec("begin");
    source.prepare("select count(*) from sqlite_master").get();
    await source.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        onPages(totalPages - remainingPages, totalPages);
        return PAGES_AT_ONCE;
      },
    });
  } finally {
    source.close();
  }
}

/** What is wrong with an SQLite file that nobody uses, in words; undefined when nothing is. */
export function flawOfSqlite(file: string): string | undefined {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    const found = database.pragma("quick_check(1)", { simple: true });
    return found === "ok" ? undefined : String(found);
  } catch (error) {
    return (error as Error).message;
  } finally {
    database?.close();
  }
}
