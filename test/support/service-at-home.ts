import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Doorway } from "../../lab/doorway.ts";
import type { Lab } from "../../lab/lab.ts";
import type { Rule, RuleChange } from "../../src/shared/api/stun.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { setUp } from "./accounts.ts";
import { RuleAtHome } from "./rule-at-home.ts";
import { SETUP_SECRET } from "./service.ts";
import { builtWebApp } from "./web-app.ts";

const main = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));
const mainWithWebApp = fileURLToPath(new URL("web-service-program.ts", import.meta.url));
/** Nothing else listens in the home's network. */
const PORT = 8_080;

/** The whole service as a process on the home host of a laboratory, with an administrator. */
export class ServiceAtHome {
  readonly lab: Lab;
  readonly #folder: string;
  readonly #doorway: Doorway;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #program: readonly string[];
  #process: ServiceProcess | undefined;
  #token = "";
  #rules = 0;

  private constructor(
    lab: Lab,
    folder: string,
    doorway: Doorway,
    settings: Readonly<Record<string, string>>,
    program: readonly string[],
  ) {
    this.#settings = settings;
    this.#program = program;
    this.lab = lab;
    this.#folder = folder;
    this.#doorway = doorway;
  }

  /** @param settings by their whole names */
  static start(lab: Lab, settings: Readonly<Record<string, string>> = {}): Promise<ServiceAtHome> {
    return ServiceAtHome.#start(lab, settings, [main]);
  }

  /** With the web app as the sources say now. */
  static async startWithWebApp(lab: Lab): Promise<ServiceAtHome> {
    return ServiceAtHome.#start(lab, {}, [mainWithWebApp, await builtWebApp()]);
  }

  static async #start(
    lab: Lab,
    settings: Readonly<Record<string, string>>,
    program: readonly string[],
  ): Promise<ServiceAtHome> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-at-home-"));
    const doorway = await lab.openDoorway(PORT);
    const service = new ServiceAtHome(lab, folder, doorway, settings, program);
    await service.run();
    service.#token = await setUp(service.#running);
    return service;
  }

  /** Starts it, or starts it again. */
  async run(): Promise<void> {
    const environment = {
      PATH: process.env["PATH"],
      WAYPOST_PORT: `${PORT}`,
      WAYPOST_DATA_DIR: this.#folder,
      WAYPOST_JWT_SECRET: SETUP_SECRET,
      WAYPOST_STUN_SERVERS: this.lab.stunServers.map(({ name }) => `${name}:3478`).join(","),
      WAYPOST_LOG_LEVEL: "warn",
      ...this.#settings,
    };
    const child = this.lab.home.spawn(process.execPath, this.#program, {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = await ServiceProcess.of(child, this.#doorway.origin);
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** Ends it in order. @returns the exit status */
  terminate(): Promise<number | null> {
    return this.#running.terminate();
  }

  /** Where it can be called from this machine. */
  get origin(): string {
    return this.#doorway.origin;
  }

  /** The administrator's. */
  get token(): string {
    return this.#token;
  }

  /** What it has written since it runs. */
  get said(): string {
    return this.#running.said;
  }

  /** One that was made in another way. */
  async findRule(id: number): Promise<RuleAtHome> {
    const { rule } = await this.ask<{ rule: Rule }>("GET", `/api/stun/rules/${id}`);
    return new RuleAtHome(this, rule);
  }

  /** A rule that probes each second and does not wait with a change, unless it says otherwise. */
  async createRule(settings: RuleChange & Pick<Rule, "transport">): Promise<RuleAtHome> {
    const usual = { name: `rule ${++this.#rules}`, probe_interval_seconds: 1, settle_seconds: 0 };
    const hosts = this.lab.webHosts.slice(0, 2).map(({ name }) => `${name}:80`);
    const held = settings.transport === "tcp" ? { keepalive_hosts: hosts } : {};
    const body = { ...usual, ...held, ...settings };
    const { rule } = await this.ask<{ rule: Rule }>("POST", "/api/stun/rules", body);
    return new RuleAtHome(this, rule);
  }

  /** What it answers the administrator. Throws at a refusal. */
  async ask<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const options = { token: this.#token, body };
    const answer = await this.#running.request(method, path, options);
    if (answer.status < 300) return answer.body as Result;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Ends it as a crash does and leaves nothing. */
  async close(): Promise<void> {
    await this.kill();
    await this.#doorway.close();
    await rm(this.#folder, { recursive: true });
  }

  get #running(): ServiceProcess {
    if (!this.#process) throw new Error("The service has been started.");
    return this.#process;
  }
}
