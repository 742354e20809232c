import type { Observation } from "./observation.ts";
import type { Timekeeper, TimerWheel, WheelTimer } from "./timer-wheel.ts";

export interface InTurnParts {
  ask(server: string): Promise<Observation>;
  wheel: TimerWheel;
  time: Timekeeper;
  /** How long a server may be silent before the next one is asked beside it. */
  patienceMs: number;
}

/**
 * Asks servers one after the other until one answers, the next one also while another is silent.
 * @param servers at least one
 * @returns the first answer, or else the failure that came last
 */
export function askInTurn(servers: readonly string[], parts: InTurnParts): Promise<Observation> {
  const { promise, resolve, reject } = Promise.withResolvers<Observation>();
  let next = 0;
  let waiting = 0;
  let timer: WheelTimer | undefined;
  const take = (observation: Observation) => {
    waiting--;
    const isAnswer = observation.mapped !== null;
    if (isAnswer) parts.wheel.cancel(timer);
    if (isAnswer || (waiting === 0 && next >= servers.length)) resolve(observation);
    else if (next < servers.length) askNext();
  };
  const askNext = () => {
    parts.wheel.cancel(timer);
    const server = servers[next++];
    if (server === undefined) return;
    waiting++;
    const patientUntil = parts.time.now() + parts.patienceMs;
    timer = next < servers.length ? parts.wheel.at(patientUntil, askNext) : undefined;
    parts.ask(server).then(take, reject);
  };
  askNext();
  return promise;
}
