import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { JournalPage } from "./journal-positions.ts";

/** Read at once of each journal: it is caught up with in several pages. */
const ROWS_PER_JOURNAL = 200;

interface Row {
  instance: string;
  dropped: number;
  seq: number | null;
  batch: Uint8Array | null;
}

/**
 * Reads what journals hold behind the given positions.
 * @param except the journal that is not read; "" = none
 */
export async function readJournals(
  db: Db,
  except: string,
  positions: ReadonlyMap<string, number>,
): Promise<JournalPage & { hasMore: boolean }> {
  const names = [...positions.keys()];
  const seen = [...positions.values()];
  // One statement: what it finds is of one moment.
  const { rows } = await sql<Row>`
    select n.name as instance, coalesce(p.dropped_seq, 0) as dropped, j.seq, j.batch
    from (select name from instances union select instance from report_positions) n
    left join report_positions p on p.instance = n.name
    left join unnest(${names}::text[], ${seen}::bigint[]) as seen(name, seq) on seen.name = n.name
    left join lateral (
      select seq, batch from report_journal
      where instance = n.name and seq > coalesce(seen.seq, 0) order by seq limit ${ROWS_PER_JOURNAL}
    ) as j on true
    where n.name <> ${except}
    order by n.name, j.seq`.execute(db);
  const journals = new Map(rows.map((row) => [row.instance, row.dropped]));
  const found = rows.flatMap(({ instance, seq, batch }) =>
    seq === null || batch === null ? [] : [{ instance, seq, batch }],
  );
  const byJournal = Map.groupBy(found, (row) => row.instance);
  return {
    journals: [...journals].map(([instance, dropped]) => ({ instance, dropped })),
    rows: found,
    hasMore: [...byJournal.values()].some((some) => some.length === ROWS_PER_JOURNAL),
  };
}

/** Up to where each journal is part of the tables, as of the transaction's moment. */
export async function readFoldedPositions(
  transaction: Db,
): Promise<[instance: string, seq: number][]> {
  const rows = await transaction
    .selectFrom("report_positions")
    .select(["instance", "folded_seq"])
    .execute();
  return rows.map((row) => [row.instance, row.folded_seq]);
}
