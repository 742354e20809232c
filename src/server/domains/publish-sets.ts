import { refuseForeign } from "./compare.ts";
import { DomainError } from "./domain-error.ts";
import type { Publication, RecordResult } from "./publication.ts";
import { toText } from "./record-data.ts";
import { afterEdits, type RecordChange } from "./record-plan.ts";
import type { WantedSet } from "./record-set.ts";
import { planSet } from "./set-plan.ts";
import { eachUntilHopeless } from "./until-hopeless.ts";

/** Whole record sets of one account, and what they should hold. */
export interface SetPublication extends Pick<Publication, "provider" | "zone"> {
  sets: readonly WantedSet[];
}

interface Step {
  set: WantedSet;
  result: RecordResult;
  change: RecordChange | undefined;
}

/**
 * Brings whole sets in step: reads, compares, writes where something differs, and reads again. They
 * are written in their order where a provider does not write them together.
 * @throws ExchangeError when the provider cannot be talked to; DomainError when it cannot be read
 */
export async function publishSets(publication: SetPublication): Promise<RecordResult[]> {
  const steps = await readAll(publication);
  const changing = steps.filter((step) => step.change);
  const isTogether = publication.zone.writesTogether && changing.length > 0;
  const groups = isTogether ? [changing] : changing.map((step) => [step]);
  await eachUntilHopeless(groups, (group) => writeTogether(publication, group));
  return steps.map((step) => step.result);
}

/**
 * What `publishSets` would do, without a write: `updated` is what would be.
 * @throws ExchangeError, DomainError
 */
export async function rehearseSets(publication: SetPublication): Promise<RecordResult[]> {
  const steps = await readAll(publication);
  for (const step of steps) if (step.change) step.result.result = "updated";
  return steps.map((step) => step.result);
}

async function readAll(publication: SetPublication): Promise<Step[]> {
  const steps = publication.sets.map((set): Step => {
    const { name, type } = set;
    const result: RecordResult = { name, type, result: "current", before: null, after: null };
    return { set, result, change: undefined };
  });
  const groups = steps.map((step) => [step]);
  await eachUntilHopeless(groups, async ([step]) => {
    if (!step) return;
    const { result, set } = step;
    refuseForeign(publication, set);
    const { before, change } = await look(publication, set, "read");
    step.change = change;
    result.before = before;
    result.after = change ? afterEdits(change, ({ data }) => toText(data), toText) : before;
  });
  return steps;
}

async function look({ zone, provider }: SetPublication, set: WantedSet, stage: "read" | "verify") {
  const { name, type } = set;
  const held = await zone.read?.(stage, name, type);
  if (!held) {
    const sentence = `${provider.name} cannot be asked what it holds, so nothing could be withdrawn there`;
    throw new DomainError("permanent", "cannot_be_read", sentence);
  }
  const edits = planSet(set, held);
  const change: RecordChange | undefined =
    edits.length === 0 ? undefined : { name, type, held, edits };
  return { before: held.map(({ data }) => toText(data)), change };
}

async function writeTogether(publication: SetPublication, steps: readonly Step[]): Promise<void> {
  await publication.zone.write(steps.flatMap(({ change }) => (change ? [change] : [])));
  const groups = steps.map((step) => [step]);
  await eachUntilHopeless(groups, async ([step]) => {
    if (!step) return;
    const { before, change } = await look(publication, step.set, "verify");
    if (change) {
      const shown = before.join(", ") || "nothing";
      const sentence = `The provider accepted the change and still shows ${shown}`;
      throw new DomainError("transient", "not_taken", sentence);
    }
    Object.assign(step.result, { result: "updated", after: before });
  });
}
