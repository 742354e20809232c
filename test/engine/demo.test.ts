import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("../../demo/registry.ts", import.meta.url));

describe("the demo of the registry", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-demo-test-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  interface Run {
    child: ChildProcessByStdio<null, Readable, Readable>;
    outcome: Promise<{ status: number | null; out: string; err: string }>;
  }

  /** Temporary files go to `folder`. */
  function start(...options: string[]): Run {
    const child = spawn(process.execPath, [program, ...options], {
      env: { PATH: process.env["PATH"], TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    const outcome = said.then(([out, err]) => ({ status: child.exitCode, out, err }));
    return { child, outcome };
  }

  test("ends by itself and shows that asking spreads load better than sorting", async () => {
    const { status, out, err } = await start("--seconds", "4").outcome;
    expect({ status, err }).toEqual({ status: 0, err: "" });

    const last = /Jain's index: ([\d.]+) by asking, ([\d.]+) by sorting/.exec(out);
    const [asked, sorted] = [Number(last?.[1]), Number(last?.[2])];
    expect(asked).toBeGreaterThan(0.5);
    expect(asked).toBeGreaterThan(3 * sorted);

    const totals = /(\d+) reports and (\d+) queries were answered/.exec(out);
    expect(Number(totals?.[1])).toBeGreaterThanOrEqual(200);
    expect(Number(totals?.[2])).toBeGreaterThan(500);
    expect(await readdir(folder)).toEqual([]);
  });

  test("ends with Ctrl-C, and leaves nothing behind", async () => {
    const { child, outcome } = start();
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("reports/s")) child.kill("SIGINT");
    });
    expect(await outcome).toMatchObject({ status: 0, err: "" });
    expect(await readdir(folder)).toEqual([]);
  });

  test("ends when nobody reads any more, and leaves nothing behind", async () => {
    const { child, outcome } = start();
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("reports/s")) child.stdout.destroy();
    });
    await expect(outcome).rejects.toThrow("Premature close");
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  test("says what is wrong with its option", async () => {
    expect(await start("--seconds", "soon").outcome).toEqual({
      status: 2,
      out: "",
      err: "--seconds must be a number from 1 to 86400\n",
    });
  });
});
