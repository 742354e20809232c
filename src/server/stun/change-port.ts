import type { Db } from "../database/database.ts";
import type { MappingChange, StunRule } from "./rule.ts";

/** Who acts on the changes of mappings. The first mapping of a rule is none. */
export interface ChangeSubscriber {
  /**
   * Called for rules that trigger callbacks, within the transaction that stores the change: what is
   * written through `transaction` is stored with it or not at all. What it throws undoes both, and
   * the change is tried again, so it must do nothing that cannot be undone.
   */
  onConfirmed(change: MappingChange, rule: StunRule, transaction: Db): Promise<void>;
  /**
   * Called soon after the commit; not when the process ended in between, nor when the answer to the
   * commit was lost and the mapping has changed again. Must not throw.
   */
  onStored(change: MappingChange, rule: StunRule): void;
}

export const noSubscriber: ChangeSubscriber = {
  onConfirmed: async () => {},
  onStored: () => {},
};
