/**
 * Everything at once for a long time, in a laboratory: `npm run soak`,
 * `npm run soak -- --minutes 5`. Needs root, as the laboratory does.
 */
import { parseArgs } from "node:util";
import { Lab } from "../lab/lab.ts";
import { whyNoLaboratory } from "../lab/requirements.ts";
import { wholePlan } from "./plan.ts";
import { soak, type SoakReport } from "./soak.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const minutes = Number(values.minutes);
const reason = whyNoLaboratory();

if (!(minutes >= 3 && minutes <= 10_000)) refuse("--minutes must be a number from 3 to 10000");
else if (reason) refuse(reason);
else await main();

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const plan = { ...wholePlan, seconds: minutes * 60, warmUpSeconds: Math.min(300, minutes * 20) };
  const lab = await Lab.create();
  try {
    show(await soak(lab, plan, say));
  } finally {
    await lab.destroy();
  }
}

function show({ lines, faults }: SoakReport): void {
  for (const line of lines) say(line);
  for (const fault of faults) process.stderr.write(`FAULT: ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
  else say("No error, no lost report, flat memory.");
}
