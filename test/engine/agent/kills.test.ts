import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Journal } from "../../../src/agent/journal.ts";
import { describeInLaboratory } from "../../support/laboratory.ts";
import { ADMIN } from "../../support/accounts.ts";
import { ServiceAtHome } from "../../support/service-at-home.ts";
import { AgentProcess } from "./agent-process.ts";
import { MeteredLink } from "./metered-link.ts";

const proxy = fileURLToPath(new URL("./holding-proxy.ts", import.meta.url));
const PROXY_PORT = 8_081;
const SERVICE_PORT = 8_080;
const LONGEST_HOLD_MS = 400;
const KILLS = 8;

interface ShownNode {
  used_traffic: number;
  status: string;
}

describeInLaboratory("an agent and its service", {}, (lab) => {
  test("are killed again and again, and the registry's sum is what the kernel counted, to the byte", async () => {
    const { home } = lab();
    const folder = await mkdtemp(join(tmpdir(), "waypost-agent-kills-"));
    const link = await MeteredLink.lay(lab());
    const service = await ServiceAtHome.start(lab());
    const hold = home.spawn(
      process.execPath,
      [proxy, ...[PROXY_PORT, SERVICE_PORT, LONGEST_HOLD_MS].map(String)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(hold.stdout ?? hold, "data");
    const { report_token: token } = await service.ask<{ report_token: string }>(
      "POST",
      "/api/nodes/",
      {
        node_name: "metered",
        region_type: "domestic",
        connections: [{ type: "TCP", ip: "192.0.2.1", port: 11_010 }],
      },
    );
    const startAgent = () =>
      new AgentProcess({
        env: {
          WAYPOST_URL: `http://127.0.0.1:${PROXY_PORT}`,
          WAYPOST_EMAIL: ADMIN,
          WAYPOST_NODE: "metered",
          WAYPOST_REPORT_TOKEN: token,
          WAYPOST_SOURCE: "interface",
          WAYPOST_INTERFACE: MeteredLink.interfaceName,
          WAYPOST_INTERVAL_SECONDS: "1",
          WAYPOST_STATE_DIR: folder,
        },
        start: (command, parameters, options) => home.spawn(command, parameters, options),
      });
    let agent = startAgent();
    try {
      await says(agent, "reporting");
      const before = (await link.bytes()) - (await shown(service)).used_traffic * 1e9;
      link.start();
      let cutOff = 0;
      for (let kill = 1; kill <= KILLS; kill++) {
        await says(agent, "started");
        await pause(200 + Math.random() * 800);
        await agent.kill();
        if (await isReportPending(folder)) cutOff++;
        if (kill % 3 === 0) {
          await service.kill();
          await service.run();
        }
        agent = startAgent();
      }
      await says(agent, "reporting");
      await link.stop();
      const { code, events } = await agent.terminate();
      expect([code, events.at(-1)]).toMatchObject([0, { event: "stopped", message: "Stopped" }]);
      expect(cutOff).toBeGreaterThan(0);
      const passed = (await link.bytes()) - before;
      expect(passed).toBeGreaterThan(1e6);
      const { used_traffic: reported, status } = await shown(service);
      expect([Math.round(reported * 1e9), status]).toEqual([Math.round(passed), "offline"]);
    } finally {
      await link.stop();
      await agent.kill();
      hold.kill("SIGKILL");
      await service.close();
      await rm(folder, { recursive: true });
    }
  }, 120_000);
});

/** Waits until something has happened in this life of the agent. */
function says(agent: AgentProcess, event: string): Promise<void> {
  const events = () => agent.events.map((line) => line.event);
  return expect.poll(events, { timeout: 30_000 }).toContain(event);
}

/** Whether the journal holds a report that may have been counted, and may not. */
async function isReportPending(folder: string): Promise<boolean> {
  const [page = ""] = await readdir(folder);
  const { pending } = await new Journal(folder, page.replace(/\.[01]$/, "")).load();
  return pending !== undefined;
}

async function shown(service: ServiceAtHome): Promise<ShownNode> {
  const { nodes } = await service.ask<{ nodes: [ShownNode] }>("GET", "/api/nodes/my");
  return nodes[0];
}
