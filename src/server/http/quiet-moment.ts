import { performance } from "node:perf_hooks";

/** A round of the event loop that takes no longer has found nothing to do. */
const QUIET_MS = 0.05;
/** Under full load no such round may come. */
const PATIENCE_MS = 200;

/** Resolves right after the system was asked for events and had none: nothing waits to be accepted. */
export async function quietMoment(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const beganAt = performance.now();
  let lookedAt = beganAt;
  const look = () => {
    const now = performance.now();
    if (now - lookedAt < QUIET_MS || now - beganAt > PATIENCE_MS) {
      resolve();
      return;
    }
    lookedAt = now;
    setImmediate(look);
  };
  setImmediate(look);
  await promise;
}
