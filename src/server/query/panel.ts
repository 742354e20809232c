import type { Chance } from "../lib/chance.ts";

/** When a selector looks at a panel instead of everybody, and how large that panel is. */
export interface PanelSize {
  /** More candidates than this are never all weighed at once. */
  from: number;
  /** How many nodes that fit make a panel. */
  size: number;
  /** Neighbours that are looked at together: they lie together in memory. */
  block: number;
}

/** What is read of so many stays in the processor's caches, and weighing them takes 2 ms. */
export const defaultPanel: PanelSize = { from: 1 << 15, size: (1 << 14) - 64, block: 64 };

export interface Panel {
  /** Ascending. */
  slots: Int32Array;
  /** The part of the candidates that was looked at; 1 = every node that fits is here. */
  share: number;
}

/**
 * Nodes that fit, `size` and less than a block more, each with the same chance; all of them when
 * there are fewer. Blocks of neighbours are visited from a random one on in random strides.
 *
 * @param slotAt the slot of candidate 0 … count − 1
 */
export function drawPanel(
  count: number,
  slotAt: (candidate: number) => number,
  fits: (slot: number) => boolean,
  { size, block: length }: Omit<PanelSize, "from">,
  chance: Chance,
): Panel {
  const blocks = Math.ceil(count / length);
  const stride = randomStride(blocks, chance);
  const found: number[] = [];
  let block = Math.floor(chance() * blocks);
  let visited = 0;
  for (let turn = 0; turn < blocks && found.length < size; turn++) {
    const end = Math.min((block + 1) * length, count);
    for (let candidate = block * length; candidate < end; candidate++) {
      const slot = slotAt(candidate);
      if (fits(slot)) found.push(slot);
    }
    visited += end - block * length;
    block = (block + stride) % blocks;
  }
  return { slots: Int32Array.from(found).sort(), share: count === 0 ? 1 : visited / count };
}

/** One that comes to every block before it comes to one again. */
function randomStride(blocks: number, chance: Chance): number {
  for (;;) {
    const stride = 1 + Math.floor(chance() * blocks);
    if (commonDivisor(stride, blocks) === 1) return stride;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
