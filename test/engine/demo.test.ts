import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const programs = {
  registry: fileURLToPath(new URL("../../demo/registry.ts", import.meta.url)),
  whole: fileURLToPath(new URL("../../demo/whole/main.ts", import.meta.url)),
};

const GONE = 4;

describe("the demos", () => {
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
  function start(program: string, ...options: string[]): Run {
    const child = spawn(process.execPath, [program, ...options], {
      env: { PATH: process.env["PATH"], TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    const outcome = said.then(([out, err]) => ({ status: child.exitCode, out, err }));
    return { child, outcome };
  }

  test("ends by itself and shows that asking spreads load better than sorting", async () => {
    const { status, out, err } = await start(programs.registry, "--seconds", "4").outcome;
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
    const { child, outcome } = start(programs.registry);
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("reports/s")) child.kill("SIGINT");
    });
    expect(await outcome).toMatchObject({ status: 0, err: "" });
    expect(await readdir(folder)).toEqual([]);
  });

  test("ends when nobody reads any more, and leaves nothing behind", async () => {
    const { child, outcome } = start(programs.registry);
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("reports/s")) child.stdout.destroy();
    });
    await expect(outcome).rejects.toThrow("Premature close");
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  test("says what is wrong with its option", async () => {
    expect(await start(programs.registry, "--seconds", "soon").outcome).toEqual({
      status: 2,
      out: "",
      err: "--seconds must be a number from 1 to 86400\n",
    });
  });

  test("with everything shows a past, lives, and leaves nothing behind", async () => {
    const { child, outcome } = start(programs.whole, "--port", "0");
    const origin = await new Promise<string>((resolve, reject) => {
      let out = "";
      child.stdout.on("data", (chunk) => {
        out += String(chunk);
        const found = /The demo is open: (\S+)/.exec(out)?.[1];
        if (found) resolve(found);
      });
      child.once("exit", () => reject(new Error("It ended before it was open")));
    });
    const call = async (path: string, options?: RequestInit) =>
      (await fetch(origin + path, options)).json() as Promise<Record<string, unknown>>;
    const { token } = await call("/api/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "demo@example.com", password: "demo-demo-demo" }),
    });
    const headers = { authorization: `Bearer ${String(token)}` };
    // Whoever plays with it may delete nodes that go on to report.
    for (const id of Array.from({ length: GONE }, (_, n) => 101 + n)) {
      const answer = await fetch(`${origin}/api/nodes/${id}`, { method: "DELETE", headers });
      expect(answer.status).toBe(200);
    }
    const isLive = async () => {
      const { rules } = (await call("/api/stun/rules", { headers })) as {
        rules: { state: { status: string } }[];
      };
      return rules.length === 4 && rules.every(({ state }) => state.status === "open");
    };
    await vi.waitUntil(isLive, { timeout: 20_000, interval: 200 });
    expect(await call("/api/stats")).toMatchObject({ total_nodes: 200 - GONE });
    const { nodes } = (await call("/api/public")) as { nodes: { used_traffic: number }[] };
    expect(nodes.filter((node) => node.used_traffic > 100).length).toBeGreaterThan(50);
    const year = (await call("/api/stats/history?range=1y")) as { points: unknown[] };
    expect(year.points.length).toBeGreaterThan(300);
    const past = (await call("/api/callbacks/runs?status=failed", { headers })) as {
      runs: unknown[];
    };
    expect(past.runs.length).toBeGreaterThan(3);

    child.kill("SIGINT");
    expect(await outcome).toMatchObject({ status: 0, err: "" });
    expect(await readdir(folder)).toEqual([]);
  });
});
