import { setTimeout as sleep } from "node:timers/promises";

const TICK_MS = 20;

/**
 * Begins `perSecond` calls a second, whether or not the earlier ones have ended, until `signal`.
 * Resolves when all have ended. `call` never rejects.
 */
export async function pace(
  perSecond: number,
  signal: AbortSignal,
  call: (number: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const open = new Set<Promise<unknown>>();
  let begun = 0;
  while (!signal.aborted) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; begun < due; begun++) {
      const running = call(begun).finally(() => open.delete(running));
      open.add(running);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(open);
}
