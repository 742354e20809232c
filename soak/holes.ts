import { setTimeout as sleep } from "node:timers/promises";
import { HOME } from "../lab/address-plan.ts";
import type { Lab } from "../lab/lab.ts";
import type { MappingChange, Rule } from "../src/shared/api/stun.ts";
import type { Caller } from "./caller.ts";
import type { SoakPlan } from "./plan.ts";

const PARTS = 4;
const LOOK_EVERY_MS = 500;
const PATIENCE_MS = 90_000;

interface SoakRule {
  id: number;
  transport: "udp" | "tcp";
  localPort: number;
  /** How often it was moved. */
  moves: number;
}

export interface Settled {
  /** In words. */
  faults: string[];
  changes: number;
  runsDue: number;
}

/** Rules with tasks, and a NAT that moves under them; each move is one change and one run of each task. */
export class SoakHoles {
  readonly #caller: Caller;
  readonly #lab: Lab;
  readonly #plan: SoakPlan;
  #rules: SoakRule[] = [];
  #moves = 0;
  /** When the NAT moved last, by `performance.now()`. */
  movedAt = Number.NEGATIVE_INFINITY;

  constructor(caller: Caller, lab: Lab, plan: SoakPlan) {
    this.#caller = caller;
    this.#lab = lab;
    this.#plan = plan;
  }

  async create(sinkUrl: string): Promise<void> {
    const { udpRules, tcpRules, tasksPerRule, probeIntervalSeconds } = this.#plan;
    const accounts: number[] = [];
    for (let number = 0; number < tasksPerRule; number++) {
      const made = await this.#caller.call<{ account: { id: number } }>(
        "POST",
        "/api/callbacks/accounts",
        { name: `sink ${number}`, type: "webhook", config: { url: `${sinkUrl}/${number}` } },
      );
      accounts.push(made.account.id);
    }
    const hosts = this.#lab.webHosts.slice(0, 2).map(({ name }) => `${name}:80`);
    for (let number = 0; number < udpRules + tcpRules; number++) {
      const transport = number < udpRules ? "udp" : "tcp";
      const { rule } = await this.#caller.call<{ rule: Rule }>("POST", "/api/stun/rules", {
        name: `soak ${number}`,
        transport,
        probe_interval_seconds: probeIntervalSeconds,
        settle_seconds: 0,
        ...(transport === "tcp" ? { keepalive_hosts: hosts } : {}),
      });
      for (const [index, account] of accounts.entries()) {
        await this.#caller.call("POST", "/api/callbacks/tasks", {
          name: `soak ${number}.${index}`,
          enabled: true,
          trigger: "stun_ip_or_port_change",
          stun_rule_id: rule.id,
          account_id: account,
        });
      }
    }
    await this.#until("every rule is open", async () => {
      const { rules } = await this.#caller.call<{ rules: Rule[] }>("GET", "/api/stun/rules");
      this.#rules = rules.map(({ id, transport, state }) => ({
        id,
        transport,
        localPort: state.local_port ?? 0,
        moves: 0,
      }));
      return rules.filter(({ state }) => state.status !== "open").length;
    });
  }

  async keepMoving(signal: AbortSignal): Promise<void> {
    const { moveEverySeconds } = this.#plan;
    for (;;) {
      await sleep(moveEverySeconds * 1000, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#move();
    }
  }

  async #move(): Promise<void> {
    const number = ++this.#moves;
    this.movedAt = performance.now();
    if (number % this.#plan.addressEvery === 0) {
      await this.#lab.nat.switchAddress();
      this.movedAt = performance.now();
      for (const rule of this.#rules) rule.moves++;
      return;
    }
    const moved = this.#rules.filter(
      ({ transport }, index) => transport === "udp" && index % PARTS === number % PARTS,
    );
    const insides = moved.map(({ localPort: port }) => ({ address: HOME.host, port }));
    await this.#lab.nat.forget("udp", ...insides);
    this.movedAt = performance.now();
    for (const rule of moved) rule.moves++;
  }

  /** Waits until nothing is under way. @returns what is not as it must be, in words */
  async settle(): Promise<Settled> {
    const faults: string[] = [];
    const note = (error: unknown) => faults.push(String(error));
    let changes = 0;
    for (const rule of this.#rules) changes += await this.#settleRule(rule, note);
    const moves = this.#rules.reduce((sum, rule) => sum + rule.moves, 0);
    await this.#until("no run is open", async () => {
      const open = ["queued", "running", "retrying"].map((status) => this.#runs(status));
      return (await Promise.all(open)).flat().length;
    }).catch(note);
    for (const status of ["failed", "cancelled"]) {
      const runs = await this.#runs(status);
      if (runs.length > 0) faults.push(`${runs.length} runs ${status}, one: ${runs[0]?.error}`);
    }
    return { faults, changes, runsDue: moves * this.#plan.tasksPerRule };
  }

  /** @returns how often it changed */
  async #settleRule({ id, moves }: SoakRule, note: (error: unknown) => void): Promise<number> {
    let changes = 0;
    await this.#until(`rule ${id} has ${moves} changes`, async () => {
      const path = `/api/stun/rules/${id}/changes?limit=200`;
      const answer = await this.#caller.call<{ changes: MappingChange[] }>("GET", path);
      changes = answer.changes.filter(({ changed }) => changed.length > 0).length;
      return Math.max(0, moves - changes);
    }).catch(note);
    if (changes > moves) note(`rule ${id} moved ${moves} times and changed ${changes}`);
    return changes;
  }

  async #runs(status: string): Promise<{ error: string }[]> {
    const path = `/api/callbacks/runs?status=${status}&limit=200`;
    return (await this.#caller.call<{ runs: { error: string }[] }>("GET", path)).runs;
  }

  async #until(what: string, missing: () => Promise<number>): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const count = await missing();
      if (count === 0) return;
      if (performance.now() > deadline) throw new Error(`Not yet so: ${what} (${count} missing)`);
      await sleep(LOOK_EVERY_MS);
    }
  }
}
