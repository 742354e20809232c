import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Journal } from "../../../src/agent/journal.ts";
import type { ReportInput } from "../../../src/shared/api/reports.ts";
import { ProviderServer } from "../../support/provider-server.ts";
import { AgentProcess } from "./agent-process.ts";
import { FakedMachine } from "./faked-machine.ts";

const source = fileURLToPath(new URL("../../durability/power-cut.c", import.meta.url));

test("whenever a report arrives, a power cut at the node would leave it in the journal", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waypost-agent-flush-"));
  const library = join(folder, "power-cut.so");
  execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl", "-lpthread"]);
  const state = join(folder, "state");
  const disk = join(folder, "disk");
  await mkdir(state);
  await mkdir(disk);
  const machine = new FakedMachine(folder);
  await machine.show("boot-1", 1_000, 0);
  await machine.connect(0);
  const sent: ReportInput[] = [];
  const server = await ProviderServer.listen(({ body }) => {
    sent.push(JSON.parse(body.toString()) as ReportInput);
    const gb = sent.reduce((sum, { reported_traffic: each }) => sum + each, 0);
    const answer = {
      message: "",
      used_traffic: gb,
      max_traffic: 0,
      reset_date: "2030-01-01T00:00:00.000Z",
    };
    return { status: 200, body: answer };
  });
  /** For each report, what the disk holds of it before it is answered. */
  const kept: unknown[] = [];
  const answer = server.answer;
  server.answer = (received) => {
    const page = execFileSync("sh", ["-c", 'cat "$0"/* 2>&1 || :', disk], { encoding: "utf8" });
    const { report_id: id = "" } = JSON.parse(received.body.toString()) as ReportInput;
    kept.push(page.includes(`"pending":{"id":"${id}"`));
    return answer(received);
  };
  const agent = new AgentProcess({
    env: {
      LD_PRELOAD: library,
      POWER_CUT_ROOT: state,
      POWER_CUT_DISK: disk,
      WAYPOST_URL: server.url,
      WAYPOST_EMAIL: "a@example.org",
      WAYPOST_NODE: "node",
      WAYPOST_REPORT_TOKEN: "token",
      WAYPOST_SOURCE: "interface",
      WAYPOST_PROC: machine.proc,
      WAYPOST_SYS: machine.sys,
      WAYPOST_INTERVAL_SECONDS: "1",
      WAYPOST_STATE_DIR: state,
    },
  });
  try {
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
    await machine.show("boot-1", 4_000, 0);
    expect((await agent.terminate()).code).toBe(0);
    expect(kept).toEqual(sent.map(() => true));
    expect(sent.at(-1)).toMatchObject({ reported_traffic: 0.000003, status: "offline" });
    // What was answered is off the disk's books, too.
    const [name = ""] = (await readdir(disk)).map((each) => each.replace(/\.[01]$/, ""));
    expect(await new Journal(disk, name).load()).toMatchObject({ pending: undefined, owed: 0n });
  } finally {
    await agent.kill();
    await server.close();
    await rm(folder, { recursive: true });
  }
});
