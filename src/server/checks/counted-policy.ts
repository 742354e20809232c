import { TargetPolicy } from "../../probe/target-policy.ts";

/** Counts the targets that it has refused. */
export class CountedPolicy extends TargetPolicy {
  refused = 0;

  override objection(address: string): string | undefined {
    const objection = super.objection(address);
    if (objection !== undefined) this.refused++;
    return objection;
  }
}
