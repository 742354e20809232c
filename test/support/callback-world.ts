import type { Run, RunWithAttempts } from "../../src/shared/api/callbacks.ts";
import type { Rule } from "../../src/shared/api/stun.ts";
import type { Endpoint } from "../../src/server/stun/endpoint.ts";
import { setUp } from "./accounts.ts";
import type { Answer } from "./client.ts";
import { FakeNat } from "./fake-nat.ts";
import { ManualClock } from "./manual-clock.ts";
import { ManualTime } from "./manual-time.ts";
import { ProviderServer } from "./provider-server.ts";
import { createRule } from "./rules.ts";
import type { SuiteContext, TestService, TestServiceOptions } from "./service.ts";

const SERVERS = "198.51.100.1:3478,198.51.100.2:3478";
/** A change is confirmed and stored well within it. */
const CONFIRMED_MS = 8_000;

/** A service with a hole whose address the test moves, and a target that listens. */
export class CallbackWorld {
  readonly service: TestService;
  readonly target: ProviderServer;
  readonly nat: FakeNat;
  readonly token: string;
  readonly #time: ManualTime;

  private constructor(
    service: TestService,
    target: ProviderServer,
    nat: FakeNat,
    time: ManualTime,
    token: string,
  ) {
    this.service = service;
    this.target = target;
    this.nat = nat;
    this.#time = time;
    this.token = token;
  }

  static async start(
    context: SuiteContext,
    options: Omit<TestServiceOptions, "dialect"> = {},
  ): Promise<CallbackWorld> {
    const { clock = new ManualClock() } = options;
    const time = new ManualTime();
    const nat = new FakeNat(clock, time);
    const { env = {}, callbacks = {}, ...rest } = options;
    const service = await context.start({
      ...rest,
      clock,
      env: { STUN_SERVERS: SERVERS, METRICS_TOKEN: "metrics", ...env },
      stun: nat.options,
      // Without chance, pauses are exactly those of the schedule.
      callbacks: { chance: () => 0.5, ...callbacks },
    });
    const token = await setUp(service);
    return new CallbackWorld(service, await ProviderServer.listen(), nat, time, token);
  }

  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const { token } = this;
    return this.service.request(method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
  }

  /** @returns what the answer holds under `field`, when it has the status */
  async expect<T>(status: number, field: string, asked: Promise<Answer>): Promise<T> {
    const answer = await asked;
    if (answer.status !== status) {
      throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
    }
    return (answer.body as Record<string, unknown>)[field] as T;
  }

  /** A rule with a mapping. */
  async openRule(fields: Record<string, unknown> = {}): Promise<Rule> {
    const rule = await createRule(this.service, this.token, {
      probe_interval_seconds: 1,
      settle_seconds: 0,
      ...fields,
    });
    await this.advance(1_000);
    return rule;
  }

  /** An account of a webhook at the target unless `fields` say otherwise. */
  async addAccount(fields: Record<string, unknown> = {}): Promise<number> {
    const { config, ...rest } = fields;
    const body = {
      name: "hook",
      type: "webhook",
      config: { url: `${this.target.url}/hook`, ...(config as object | undefined) },
      ...rest,
    };
    const asked = this.ask("POST", "/api/callbacks/accounts", body);
    return (await this.expect<{ id: number }>(201, "account", asked)).id;
  }

  async addTask(fields: Record<string, unknown>): Promise<number> {
    const body = { name: "task", enabled: true, trigger: "stun_ip_or_port_change", ...fields };
    const asked = this.ask("POST", "/api/callbacks/tasks", body);
    return (await this.expect<{ id: number }>(201, "task", asked)).id;
  }

  /** A rule with a mapping, and a task that sends its changes to the target. */
  async openTask(fields: Record<string, unknown> = {}): Promise<{ rule: Rule; task: number }> {
    const rule = await this.openRule();
    const account_id = await this.addAccount();
    return { rule, task: await this.addTask({ stun_rule_id: rule.id, account_id, ...fields }) };
  }

  /** The hole's address becomes another one, which is confirmed; what that starts is not waited for. */
  async moveQuietly(mapping: Partial<Endpoint>): Promise<void> {
    this.nat.mapping = { ...this.nat.mapping, ...mapping };
    await this.advance(CONFIRMED_MS);
  }

  /** As `moveQuietly`; what that starts has been tried once. */
  async move(mapping: Partial<Endpoint>): Promise<void> {
    await this.moveQuietly(mapping);
    await this.settle();
  }

  /** All clocks move on, and what waits for the storage gets there. */
  async advance(ms: number): Promise<void> {
    // First: what a change starts would else be due again when the clock has moved.
    this.service.clock.advance(ms);
    await this.#time.advance(ms, () => new Promise(setImmediate));
    await this.service.service.stun.runWorkersOnce();
  }

  /** What is due has been tried. */
  async settle(): Promise<void> {
    await this.service.service.callbacks.runWorkersOnce();
  }

  async runs(query = ""): Promise<Run[]> {
    return this.expect<Run[]>(200, "runs", this.ask("GET", `/api/callbacks/runs${query}`));
  }

  async run(id: number): Promise<RunWithAttempts> {
    return this.expect<RunWithAttempts>(200, "run", this.ask("GET", `/api/callbacks/runs/${id}`));
  }

  /** Of the newest run. */
  async lastRun(): Promise<RunWithAttempts> {
    const [run] = await this.runs("?limit=1");
    if (!run) throw new Error("there is no run");
    return this.run(run.id);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.target.close();
  }
}
