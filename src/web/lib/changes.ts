/** What is told of `after`: the fields that differ, so that the others stay as they are stored. */
export function changesOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, toText(value)]));
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => known.get(name) !== toText(value)),
  ) as Partial<Body>;
}

/** Something with settings of which a change, too, says only those that differ. */
interface Configured {
  config: Readonly<Record<string, unknown>>;
}

/** As `changesOf`, and so for the fields of `config`, which the service merges. */
export function accountChangesOf<Body extends Configured>(
  before: Body,
  after: Body,
): Partial<Body> {
  const changes = changesOf(before, after);
  if (changes.config === undefined) return changes;
  return { ...changes, config: changesOf(before.config, after.config) };
}

/**
 * Sends what differs; where nothing does, nobody is asked.
 * @param unchanged the answer then
 */
export async function sendChanges<Changes extends object, Answer>(
  changes: Changes,
  unchanged: Answer,
  send: (changes: Changes) => Promise<NoInfer<Answer>>,
): Promise<Answer> {
  return Object.keys(changes).length === 0 ? unchanged : send(changes);
}

/** Both sides are made by the same function, with their fields in the same order. */
function toText(value: unknown): string | undefined {
  return JSON.stringify(value);
}
