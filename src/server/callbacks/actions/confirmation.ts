import { differingPaths } from "../../lib/differing-paths.ts";
import { ActionError } from "./action.ts";

/**
 * Compares what was to be with what is found after a write.
 * @param ours paths that were to change
 * @throws ActionError transient when one of those is not as written; permanent when anything else
 *   is another than before: somebody changed it meanwhile, or the provider did on its own
 */
export function confirmWrite(
  what: string,
  wanted: unknown,
  found: unknown,
  ours: readonly string[],
): void {
  const paths = differingPaths(wanted, found);
  if (paths.length === 0) return;
  const late = paths.filter((path) => ours.includes(path));
  if (late.length > 0) {
    const message = `${what} was accepted, but ${late.join(", ")} does not show it yet`;
    throw new ActionError("transient", "not_in_effect", message);
  }
  const message = `${what} took effect, but other fields changed, too: ${paths.join(", ")}`;
  throw new ActionError("permanent", "other_fields_changed", message);
}
