import type { DomainRecord, RecordType } from "../../shared/api/domains.ts";
import type { ProviderError } from "../lib/provider-error.ts";
import type { DnsProvider, Zone } from "./providers/provider.ts";
import type { PublishedValues } from "./published-values.ts";
import type { PublicAddress, Render } from "./record.ts";

/** Records of one account, and what they should say. */
export interface Publication {
  provider: Pick<DnsProvider, "name" | "types">;
  zone: Zone;
  records: readonly DomainRecord[];
  address: PublicAddress;
  previous: PublicAddress | null;
  render: Render;
  /** What was published before. */
  memory: PublishedValues;
}

/** What became of one record. `before` and `after` are its values; null when nobody knows them. */
export interface RecordResult {
  name: string;
  type: RecordType;
  result: "updated" | "current" | "skipped" | "failed";
  before: string[] | null;
  after: string[] | null;
  /** Why it was skipped, or what else is worth knowing. */
  note?: string;
  error?: ProviderError;
}
