import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SETUP_SECRET } from "../durability/fleet-of-reporters.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { Client, type Answer, type RequestOptions } from "./client.ts";

const SECRET_KEY = "the-key-that-all-instances-of-the-test-share";
const PATIENCE_MS = 20_000;

/** Processes of the service on one PostgreSQL, each with a name of its own. */
export class InstanceGroup {
  readonly #instances = new Map<string, ServiceProcess>();
  readonly #folder: string;
  readonly #settings: Record<string, string>;

  private constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    this.#settings = settings;
  }

  static async start(
    databaseUrl: string,
    names: readonly string[],
    settings: Record<string, string> = {},
  ): Promise<InstanceGroup> {
    const group = new InstanceGroup(await mkdtemp(join(tmpdir(), "waypost-group-")), {
      PORT: "0",
      JWT_SECRET: SETUP_SECRET,
      SECRET_KEY,
      RATE_LIMIT: "off",
      LOG_LEVEL: "warn",
      DATABASE_URL: databaseUrl,
      ...settings,
    });
    try {
      for (const name of names) await group.run(name);
    } catch (error) {
      await group.clear();
      throw error;
    }
    return group;
  }

  get(name: string): ServiceProcess {
    const instance = this.#instances.get(name);
    if (!instance) throw new Error(`there is no instance ${name}`);
    return instance;
  }

  get running(): ServiceProcess[] {
    return [...this.#instances.values()];
  }

  /** Starts one, again when there was one of that name. */
  async run(name: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
    const instance = await ServiceProcess.start({
      ...this.#settings,
      DATA_DIR: join(this.#folder, name),
      INSTANCE: name,
      ...settings,
    });
    this.#instances.set(name, instance);
    return instance;
  }

  async kill(name: string): Promise<void> {
    const instance = this.get(name);
    this.#instances.delete(name);
    await instance.kill();
  }

  /** @returns the exit status */
  async terminate(name: string): Promise<number | null> {
    const instance = this.get(name);
    this.#instances.delete(name);
    return instance.terminate();
  }

  async clear(): Promise<void> {
    for (const instance of this.running) await instance.kill();
    this.#instances.clear();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Sends each request to the next of the instances that run then. */
export class InTurnClient extends Client {
  readonly statuses = new Map<number, number>();
  readonly #group: InstanceGroup;
  #turn = 0;

  constructor(group: InstanceGroup) {
    super(() => {
      throw new Error("each request has an origin of its own");
    });
    this.#group = group;
  }

  override async request(method: string, path: string, options?: RequestOptions): Promise<Answer> {
    const { running } = this.#group;
    const instance = running[this.#turn++ % running.length];
    if (!instance) throw new Error("no instance runs");
    const answer = await instance.request(method, path, options);
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }

  /** Waits for so many more answers of a status. */
  async until(status: number, more = 20): Promise<void> {
    const enough = (this.statuses.get(status) ?? 0) + more;
    await until(async () => (this.statuses.get(status) ?? 0) >= enough);
  }
}

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`it never held: ${holds.toString()}`);
    await sleep(20);
  }
}
