import type { RecordType } from "../../shared/api/domains.ts";

/** What a record set should hold of ours. Values are as a zone file has them. */
export interface WantedSet {
  /** Fully qualified, without a final dot. */
  name: string;
  type: RecordType;
  ttlSeconds: number;
  /** None: nothing of ours stays. */
  values: readonly string[];
  /** What we have put there, or may have: only these are ever replaced or removed. */
  ours: readonly string[];
  /** Whether ours may stand beside values of others. */
  mayShare: boolean;
}
