import type { RecordType } from "../../shared/api/domains.ts";

/** The values that records of one account were last given; names are in their one spelling. */
export interface PublishedValues {
  find(name: string, type: RecordType): Promise<string | undefined>;
  remember(name: string, type: RecordType, value: string): Promise<void>;
}
