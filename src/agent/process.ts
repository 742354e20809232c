import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { help } from "./help.ts";
import { runAgent } from "./run.ts";
import type { World } from "./world.ts";

const systemWorld: World = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  // It rejects for one reason alone, which is no failure here.
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
  chance: Math.random,
  newId: randomUUID,
};

/** Runs the agent as what this process does. @returns the exit code, when it has ended */
export async function agentProcess(parameters: readonly string[]): Promise<0 | 1 | 2> {
  if (parameters.includes("--help") || parameters.includes("-h")) {
    console.log(help);
    return 0;
  }
  return runAgent(parameters, {
    environment: process.env,
    platform: process.platform,
    out: (line) => console.log(line),
    err: (line) => console.error(line),
    onStop: stopOnSignals,
    world: systemWorld,
  });
}

/** The first signal ends the agent in order, a second one at once. */
function stopOnSignals(stop: () => void): void {
  let asked = false;
  const onSignal = (): void => {
    // oxlint-disable-next-line unicorn/no-process-exit -- asked twice
    if (asked) process.exit(1);
    asked = true;
    stop();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
