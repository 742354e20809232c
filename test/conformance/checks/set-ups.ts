import { join } from "node:path";
import { ServiceProcess } from "../../durability/service-process.ts";
import type { Client } from "../../support/client.ts";
import { bundled } from "../../support/edge-bundle.ts";
import { HttpsNameServer } from "../../support/https-name-server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { WorkerFunction } from "../../support/worker-function.ts";

/** Where the checks are done that the service answers. */
export const places = ["the service", "Node", "Workers"] as const;
export type Place = (typeof places)[number];

export interface SetUpOptions {
  /** Asked of the service's callers, and by the function of the service. */
  apiKey?: string;
  /** Of the service; the function may dial what it likes. */
  policy?: "public";
}

/** A service, and the check function it uses, if any. */
export interface SetUp {
  place: Place;
  service: TestService;
  /** Undefined where the service checks by itself. */
  checkFunction: Client | undefined;
  stop(): Promise<void>;
}

/** The names that the function on Workers can find; elsewhere they are found by themselves. */
const names = { localhost: { records: [{ type: 1, data: "127.0.0.1" }] } };

export async function startSetUp(place: Place, options: SetUpOptions = {}): Promise<SetUp> {
  const key = options.apiKey === undefined ? undefined : { CHECK_API_KEY: options.apiKey };
  const started = await startFunction(place, { RATE_LIMIT: "off", ...key });
  const service = await startTestService({
    env: {
      ...key,
      ...(options.policy === undefined ? {} : { CHECK_POLICY: options.policy }),
      ...(started === undefined ? {} : { CHECK_REMOTE_URL: started.client.origin }),
      ...(key === undefined ? {} : { CHECK_REMOTE_KEY: key.CHECK_API_KEY }),
    },
  });
  const stop = async () => {
    await service.stop();
    await started?.stop();
  };
  return { place, service, checkFunction: started?.client, stop };
}

interface Started {
  client: Client;
  stop(): Promise<unknown>;
}

async function startFunction(
  place: Place,
  settings: Record<string, string>,
): Promise<Started | undefined> {
  if (place === "the service") return undefined;
  const folder = await bundled();
  if (place === "Node") {
    const file = join(folder, "check-function.node.mjs");
    const client = await ServiceProcess.start({ PORT: "0", ...settings }, {}, file);
    return { client, stop: () => client.terminate() };
  }
  const resolver = await HttpsNameServer.listen(names);
  const client = await WorkerFunction.start(join(folder, "check-function.worker.js"), {
    CHECK_ALLOW: "127.0.0.0/8, ::1",
    CHECK_DNS_URL: resolver.url,
    ...settings,
  });
  return { client, stop: () => Promise.all([client.stop(), resolver.close()]) };
}
