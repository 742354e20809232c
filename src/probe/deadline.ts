/** The time for something was used up. */
export class TimeUp extends Error {
  constructor() {
    super("the time is up");
  }
}

/**
 * Does `work` within a time. The signal it gets aborts when the time is up or `outer` aborts; whether
 * `work` heeds it or not, nobody waits for it then.
 * @throws TimeUp; the reason of `outer`; whatever `work` throws
 */
export async function within<T>(
  limitMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    controller.abort(reason);
    ended.reject(reason);
  };
  const timer = setTimeout(() => end(new TimeUp()), Math.max(0, limitMs));
  const forward = () => end(outer?.reason);
  outer?.addEventListener("abort", forward, { once: true });
  try {
    return await Promise.race([work(controller.signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", forward);
  }
}
