import { hashKey } from "@tanstack/react-query";
import { useState } from "react";

interface Begun<Thing> {
  /** As it was stored when the form began: what is sent is what differs from it. */
  begun: Thing;
  /** The `key` of the form, another one for each beginning. */
  round: number;
  /** Begins with what is stored now; undefined unless that differs. */
  loadAnew: (() => void) | undefined;
  beginWith: (thing: Thing) => void;
}

/**
 * What a form begins with, while somebody else may change it.
 * @param newest as it is stored now
 * @param settingsOf what of it the form sets; all else may change without a word
 */
export function useBegun<Thing>(
  newest: Thing,
  settingsOf: (thing: Thing) => unknown,
): Begun<Thing> {
  const [{ begun, round }, setBegun] = useState({ begun: newest, round: 0 });
  const beginWith = (thing: Thing): void =>
    setBegun((before) => ({ begun: thing, round: before.round + 1 }));
  const isOutdated = hashKey([settingsOf(begun)]) !== hashKey([settingsOf(newest)]);
  return { begun, round, loadAnew: isOutdated ? () => beginWith(newest) : undefined, beginWith };
}
