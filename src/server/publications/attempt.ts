import type { RecordResult } from "../domains/publication.ts";
import type { WantedSet } from "../domains/record-set.ts";
import type { Exchange } from "../lib/exchange.ts";
import type { ComposedSet } from "./composition.ts";
import { toFailure, type Failure } from "./pause.ts";
import type { HeldSet } from "./set-store.ts";

/** Where records are kept. Both methods throw ProviderError and ExchangeError. */
export interface RecordDoor {
  publishSets(order: SetOrder): Promise<RecordResult[]>;
  /** What `publishSets` would do; it only reads. */
  rehearseSets(order: SetOrder): Promise<RecordResult[]>;
}

interface SetOrder {
  accountId: number;
  sets: readonly WantedSet[];
  exchange: Exchange;
}

/** What should stand at one account, and what did or may have. */
export interface Order {
  accountId: number;
  sets: readonly WantedSet[];
}

export interface Ending {
  results: { accountId: number; result: RecordResult }[];
  failure: Failure | undefined;
}

/**
 * What is to be done at which account: the sets as they should be, and those in which nothing of ours
 * should stay any more. The former come first.
 */
export function toOrders(
  { accountId, ttlSeconds }: { accountId: number; ttlSeconds: number },
  composed: readonly ComposedSet[],
  held: readonly HeldSet[],
): Order[] {
  const isAt = (place: HeldSet, { name, type }: ComposedSet) =>
    place.accountId === accountId && place.name === name && place.type === type;
  const wanted = composed.map((set): WantedSet => {
    const ours = held.find((each) => isAt(each, set))?.values ?? [];
    return { ...set, ttlSeconds, ours, mayShare: set.type !== "TXT" };
  });
  const leftovers = held.filter((each) => !composed.some((set) => isAt(each, set)));
  const orders = new Map<number, WantedSet[]>(wanted.length > 0 ? [[accountId, wanted]] : []);
  for (const { accountId: account, name, type, values } of leftovers) {
    const set = { name, type, values: [], ours: values, ttlSeconds, mayShare: true };
    orders.set(account, [...(orders.get(account) ?? []), set]);
  }
  return [...orders].map(([account, sets]) => ({ accountId: account, sets }));
}

/**
 * Does the orders one after the other; one that fails keeps the others from nothing.
 * @throws what is no failure of a provider; the reason of the exchange's signal, but for a time-out
 */
export async function carryOut(
  orders: readonly Order[],
  work: RecordDoor["publishSets"],
  exchange: Exchange,
): Promise<Ending> {
  const ending: Ending = { results: [], failure: undefined };
  for (const { accountId, sets } of orders) {
    try {
      const results = await work({ accountId, sets, exchange });
      ending.results.push(...results.map((result) => ({ accountId, result })));
    } catch (error) {
      const failure = toFailure(error);
      if (!failure) throw error;
      ending.failure ??= { ...failure, message: exchange.redact(failure.message) };
    }
  }
  ending.failure ??= failureOf(ending.results, exchange);
  return ending;
}

/** Temporary when one of them is. */
function failureOf(results: Ending["results"], exchange: Exchange): Failure | undefined {
  const failed = results.flatMap(({ result: { name, type, error } }) =>
    error ? [{ name, type, error }] : [],
  );
  if (failed.length === 0) return undefined;
  const sentences = failed.map(({ name, type, error }) => `${name} ${type}: ${error.message}`);
  const waits = failed.flatMap(({ error }) => error.retryAfterMs ?? []);
  return {
    message: exchange.redact(sentences.join("; ")),
    isPermanent: failed.every(({ error }) => error.kind === "permanent"),
    retryAfterMs: waits.length === 0 ? undefined : Math.max(...waits),
  };
}
