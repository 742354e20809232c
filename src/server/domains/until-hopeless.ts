import { ProviderError } from "../lib/provider-error.ts";
import { concernsAccount } from "./domain-error.ts";
import type { RecordResult } from "./publication.ts";
import type { RecordChange } from "./record-plan.ts";

/** A record set on its way; `change` is what remains to be done. */
interface Step {
  result: RecordResult;
  change: RecordChange | undefined;
}

/** Does the work group by group, and notes failures, until one says that the rest is hopeless. */
export async function eachUntilHopeless<S extends Step>(
  groups: readonly (readonly S[])[],
  work: (group: readonly S[]) => Promise<void>,
): Promise<void> {
  let hopeless: ProviderError | undefined;
  for (const group of groups) {
    const error = hopeless ?? (await failureOf(() => work(group)));
    if (!error) continue;
    for (const step of group) {
      Object.assign(step.result, { result: "failed", after: step.result.before, error });
      step.change = undefined;
    }
    if (concernsAccount(error)) hopeless = error;
  }
}

async function failureOf(work: () => Promise<void>): Promise<ProviderError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}
