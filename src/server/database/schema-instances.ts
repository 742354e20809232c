import type { Generated } from "kysely";

/** Processes that share the storage (PostgreSQL). */
export interface InstanceTable {
  name: string;
  /** Another one for each process that has had the name. */
  process: string;
  /** When it last said that it lives, by the storage's clock. */
  beat_at: number;
  /** 1 once it has ended in order. */
  ended: number;
}

/** Up to where an instance's journal has been folded (PostgreSQL). */
export interface ReportPositionTable {
  instance: string;
  folded_seq: number;
  /** No row up to here is in the journal any more. */
  dropped_seq: Generated<number>;
  /** What was folded at `marked_at`: some time later nobody needs to read it any more. */
  marked_seq: Generated<number>;
  marked_at: Generated<number>;
}

/** Nodes that were created, changed or deleted lately (PostgreSQL). */
export interface NodeChangeTable {
  transaction_id: number;
  owner_id: number;
  /** 0 = all of the owner's. */
  node_id: number;
  at: number;
}

/** Which instance holds the hole of a rule in place of the one that the rule names. */
export interface StunStandInTable {
  rule_id: number;
  instance: string;
  since: number;
}
