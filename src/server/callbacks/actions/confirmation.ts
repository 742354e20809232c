import { differences } from "../../lib/differences.ts";
import { ActionError } from "./action.ts";

export interface Write {
  /** What was written, as a sentence begins: "The port of the rule nas". */
  what: string;
  /** All that is to be there, and what is. */
  wanted: unknown;
  found: unknown;
  /** Dotted paths of what was to change. */
  ours: readonly string[];
  /**
   * Whether a field that nobody wrote may be there: a provider that takes a whole rule fills in its
   * defaults.
   */
  mayAdd: boolean;
}

/**
 * Compares what was to be with what is found after a write.
 * @throws ActionError transient when something of ours is not as written; permanent when anything
 *   else is another than before: somebody changed it meanwhile, or the provider did on its own
 */
export function confirmWrite({ what, wanted, found, ours, mayAdd }: Write): void {
  const differing = differences(wanted, found).filter((each) => !(mayAdd && each.isAddition));
  const paths = differing.map(({ path }) => path);
  if (paths.length === 0) return;
  const late = paths.filter((path) => ours.includes(path));
  if (late.length > 0) {
    const message = `${what} was accepted, but ${late.join(", ")} does not show it yet`;
    throw new ActionError("transient", "not_in_effect", message);
  }
  const message = `${what} took effect, but other fields changed, too: ${paths.join(", ")}`;
  throw new ActionError("permanent", "other_fields_changed", message);
}
