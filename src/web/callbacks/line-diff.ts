export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Beyond this, comparing costs more than it tells. */
const MOST_CELLS = 4_000_000;

/** What must be taken away and added to make `after` of `before`: as little as possible. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const same = before.findIndex((line, n) => line !== after[n]);
  const head = same === -1 ? Math.min(before.length, after.length) : same;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...lines("same", before.slice(0, head)),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...lines("same", before.slice(before.length - tail)),
  ];
}

function lines(kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** By the longest common subsequence. */
function between(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1;
  if (before.length * after.length > MOST_CELLS) {
    return [...lines("removed", before), ...lines("added", after)];
  }
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]];
    if (old !== undefined && old === next) {
      found.push({ kind: "same", text: old });
      i++;
      j++;
    } else if (old !== undefined && (next === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: "removed", text: old });
      i++;
    } else {
      found.push({ kind: "added", text: next ?? "" });
      j++;
    }
  }
  return found;
}
