import type { Generated } from "kysely";

/** A list of the best nodes that is kept at a domain account. */
export interface NodePublicationTable {
  id: Generated<number>;
  account_id: number;
  /** Of the record, in its one spelling. */
  name: string;
  type: "TXT" | "SRV";
  /** JSON object: which nodes, as the body of a query. */
  wish: string;
  interval_seconds: number;
  ttl_seconds: number;
  enabled: number;
  /** 1 when it goes as soon as its records are withdrawn. */
  removed: number;
  /** Another one after each change of the settings. */
  revision: number;
  /** JSON array: the nodes that were published last. */
  nodes: string;
  /** What else is to be known of the last success. */
  note: string | null;
  /** Tries in a row that failed. */
  failures: number;
  error: string | null;
  /** When it is tried again. */
  due_at: number;
  attempted_at: number | null;
  succeeded_at: number | null;
  /** When its records last changed. */
  changed_at: number | null;
  /** `<instance>:<process>` that is at it. */
  lease_owner: string | null;
  lease_until: number | null;
  created_at: number;
  updated_at: number;
}

/** A record set in which values of a publication stand, or may stand. */
export interface NodePublicationSetTable {
  publication_id: number;
  account_id: number;
  name: string;
  type: string;
  /** JSON array, as a zone file has them. */
  record_values: string;
}
