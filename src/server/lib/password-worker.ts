/** Runs inside the thread that PasswordHasher starts. */
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { ARGON2_COSTS } from "./password-costs.ts";
import { stepBack } from "./thread-priority.ts";

export type PasswordJob =
  | { kind: "hash"; password: string }
  | { kind: "verify"; password: string; hash: string };

export interface PasswordReply {
  id: number;
  result?: string | boolean;
  error?: string;
}

/**
 * How far the thread steps back behind the rest of the process, on Linux's scale of 0 to 19. With
 * one core for everything and that core fully busy with requests, 20 log-ins a second then raise
 * the requests' p99 by half and take 0.8 s each (0: doubled, 0.03 s; 15: by a fifth, but only 15 a
 * second get through). On an idle core it changes nothing.
 */
const NICENESS = 7;

const main = parentPort;
if (!main) throw new Error("password-worker.ts runs as a worker thread only");

function run(job: PasswordJob): string | boolean {
  return job.kind === "hash"
    ? hashSync(job.password, ARGON2_COSTS)
    : verifySync(job.hash, job.password);
}

stepBack(NICENESS);
main.on("message", (job: PasswordJob & { id: number }) => {
  let reply: PasswordReply;
  try {
    reply = { id: job.id, result: run(job) };
  } catch (error) {
    reply = { id: job.id, error: (error as Error).message };
  }
  main.postMessage(reply);
});
