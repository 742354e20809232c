import type { RecordType } from "../../shared/api/domains.ts";

/** The values that one account was last given by one publisher; names are in their one spelling. */
export interface PublishedValues {
  find(name: string, type: RecordType): Promise<string | undefined>;
  remember(name: string, type: RecordType, value: string): Promise<void>;
}
