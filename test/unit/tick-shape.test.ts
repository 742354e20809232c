import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const module = fileURLToPath(new URL("../../src/server/lib/tick-shape.ts", import.meta.url));

/** Nanoseconds per tick after some garbage collections while nothing was queued. */
async function timeTicks(preparation: string): Promise<number> {
  const program = `
    ${preparation}
    const tick = () => new Promise((resolve) => process.nextTick(resolve, 1));
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
    for (let round = 0; round < 6; round++) {
      for (let n = 0; n < 200; n++) await tick();
      await pause();
      gc();
    }
    const nothing = () => {};
    let best = Infinity;
    for (let round = 0; round < 20; round++) {
      const from = process.hrtime.bigint();
      for (let n = 0; n < 20_000; n++) process.nextTick(nothing);
      best = Math.min(best, Number(process.hrtime.bigint() - from) / 20_000);
      await pause();
    }
    console.log(best);`;
  const options = ["--expose-gc", "--input-type=module", "--eval", program];
  return Number((await run(process.execPath, options)).stdout);
}

test("ticks stay fast over garbage collections", async () => {
  const slow = await timeTicks("");
  const fast = await timeTicks(`
    import { keepTickShape } from ${JSON.stringify(module)};
    keepTickShape();`);
  expect(fast).toBeLessThan(slow / 2);
});
