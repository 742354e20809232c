/** `down`: it may come back as it is; `out`: it fits no more, whatever it reports. */
export type Standing = "open" | "full" | "down" | "out";

export interface Candidate {
  id: number;
  standing: Standing;
  /** Load over capacity. */
  fill: number;
}

export interface Renewal {
  /** How many are wanted. */
  most: number;
  /** Who is on the list now. */
  before: readonly Candidate[];
  /** Up to so many others, the best draw first; none of `ids`. */
  draw: (count: number, ids: readonly number[]) => Candidate[];
}

/** A node that is less full than this is left alone, however empty others are. */
const BUSY = 0.5;
/** A busy node gives its place to one that has at most this part of its load. */
const MUCH_EMPTIER = 0.5;

/**
 * Who is on a list that many read for a long time: those who are, as long as they can be used and
 * nobody else is much emptier. When no node at all can be used, those stay that are only down: they may
 * be back before anybody who was told that there is nobody asks again.
 */
export function renew({ most, before, draw }: Renewal): number[] {
  const usable = before.filter(({ standing }) => standing === "open" || standing === "full");
  const kept = usable.length > most ? usable.toSorted(byStanding).slice(0, most) : usable;
  const ids = usable.map(({ id }) => id);
  const fresh = draw(most, ids);
  const added = fresh.splice(0, most - kept.length);
  const list = kept.map((member) => {
    const next = fresh[0];
    if (!next || !givesWay(member, next)) return member;
    fresh.shift();
    return next;
  });
  list.push(...added);
  if (list.length > 0) return list.map(({ id }) => id);
  return before.flatMap(({ id, standing }) => (standing === "down" ? [id] : [])).slice(0, most);
}

/** Stable: of those who stand alike, the first stay first. */
function byStanding(one: Candidate, other: Candidate): number {
  return Number(one.standing === "full") - Number(other.standing === "full");
}

function givesWay(member: Candidate, next: Candidate): boolean {
  if (next.standing !== "open") return false;
  if (member.standing === "full") return true;
  return member.fill >= BUSY && next.fill <= member.fill * MUCH_EMPTIER;
}
