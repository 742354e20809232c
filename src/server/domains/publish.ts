import type { DomainRecord } from "../../shared/api/domains.ts";
import { compare, keyOf } from "./compare.ts";
import { DomainError } from "./domain-error.ts";
import type { Publication, RecordResult } from "./publication.ts";
import { toText } from "./record-data.ts";
import { afterEdits, type RecordChange } from "./record-plan.ts";
import { eachUntilHopeless } from "./until-hopeless.ts";

/** A record on its way; `change` is what remains to be done. */
interface Step {
  record: DomainRecord;
  result: RecordResult;
  change: RecordChange | undefined;
  /** The value that is ours; undefined as long as nothing is known. */
  ours: string | undefined;
}

/**
 * Brings the records in step: reads, compares, writes where something differs, and reads again. A
 * record that fails keeps the others from nothing, unless they would fail for the same reason.
 * @throws ExchangeError when the provider cannot be talked to
 */
export async function publish(publication: Publication): Promise<RecordResult[]> {
  const steps = await readAll(publication);
  for (const step of steps) if (!step.change) await remember(publication, step);
  const changing = steps.filter((step) => step.change);
  const isTogether = publication.zone.writesTogether && changing.length > 0;
  const groups = isTogether ? [changing] : changing.map((step) => [step]);
  await eachUntilHopeless(groups, (group) => writeTogether(publication, group));
  return steps.map((step) => step.result);
}

/**
 * What `publish` would do, without a write: `updated` is what would be.
 * @throws ExchangeError
 */
export async function rehearse(publication: Publication): Promise<RecordResult[]> {
  const steps = await readAll(publication);
  for (const step of steps) if (step.change) step.result.result = "updated";
  return steps.map((step) => step.result);
}

async function readAll(publication: Publication): Promise<Step[]> {
  const steps = publication.records.map((record): Step => {
    const result = { ...keyOf(record), result: "current" as const, before: null, after: null };
    return { record, result, change: undefined, ours: undefined };
  });
  const groups = steps.map((step) => [step]);
  await eachUntilHopeless(groups, async ([step]) => {
    if (step) await readOne(publication, step);
  });
  return steps;
}

async function readOne(publication: Publication, step: Step): Promise<void> {
  const { result } = step;
  const found = await compare(publication, step.record, "read");
  if ("skip" in found) {
    Object.assign(result, { result: "skipped", note: found.skip });
    return;
  }
  step.change = found.change;
  step.ours = found.ours;
  result.before = found.before;
  result.after = found.change
    ? afterEdits(found.change, ({ data }) => toText(data), toText)
    : found.before;
  if (found.note !== undefined) result.note = found.note;
}

async function writeTogether(publication: Publication, steps: readonly Step[]): Promise<void> {
  await publication.zone.write(steps.flatMap(({ change }) => (change ? [change] : [])));
  const groups = steps.map((step) => [step]);
  await eachUntilHopeless(groups, async ([step]) => {
    if (!step) return;
    if (publication.zone.read) await verify(publication, step);
    step.result.result = "updated";
    await remember(publication, step);
  });
}

async function verify(publication: Publication, { record, result }: Step): Promise<void> {
  const found = await compare(publication, record, "verify");
  if ("skip" in found) return;
  if (found.change) {
    const shown = found.before?.join(", ") || "nothing";
    throw new DomainError(
      "transient",
      "not_taken",
      `The provider accepted the change and still shows ${shown}`,
    );
  }
  result.after = found.before;
}

/** So that the value is known as ours when the next one comes. */
async function remember({ memory }: Publication, { result, ours }: Step): Promise<void> {
  const { name, type } = result;
  if (ours === undefined || result.result === "failed") return;
  if ((await memory.find(name, type)) !== ours) await memory.remember(name, type, ours);
}
