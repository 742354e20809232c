import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";

/** Everything that can be said about the sources without running them. */
const steps: readonly string[] = [
  "tsc -p test",
  "tsc -p src/server",
  "tsc -p src/web",
  "tsc -p test/web",
  "tsc -p src/shared",
  "tsc -p src/probe",
  "tsc -p src/edge",
  "tsc -p src/edge/workers",
  "tsc -p src/probe/node",
  "tsc -p src/agent",
  "oxlint --ignore-pattern test/architecture/fixtures",
  "oxfmt --check",
  "knip --no-progress --no-config-hints",
  "knip --no-progress --no-config-hints --production --include files,dependencies,unlisted",
  "node scripts/check-language.ts",
];

interface Result {
  step: string;
  passed: boolean;
  output: string;
  seconds: string;
}

async function run(step: string): Promise<Result> {
  const startedAt = performance.now();
  const [command = "", ...parameters] = step.split(" ");
  const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return {
    step,
    passed: child.exitCode === 0,
    output: out + err,
    seconds: ((performance.now() - startedAt) / 1000).toFixed(1),
  };
}

/** Runs the steps, as many at a time as there are processors, and shows what the failed ones said. */
async function main(): Promise<void> {
  const waiting = [...steps];
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const { passed, output, seconds } = await run(step);
      if (!passed) {
        process.exitCode = 1;
        console.error(output.trimEnd());
      }
      console.log(`${passed ? "ok    " : "FAILED"} ${step} (${seconds} s)`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

await main();
