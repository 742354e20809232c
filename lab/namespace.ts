import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { environment } from "./environment.ts";

/** Gives the program the laboratory's host names; it is the only process in between. */
const WITH_NAMES = 'mount --bind "$0" /etc/hosts && exec "$@"';

/** A machine of the laboratory: what runs in it sees its own links, addresses and names only. */
export class Namespace {
  readonly name: string;
  readonly #hostsFile: string;

  /** @param hostsFile stands for `/etc/hosts` in it */
  constructor(name: string, hostsFile: string) {
    this.name = name;
    this.#hostsFile = hostsFile;
  }

  async create(): Promise<void> {
    await run("ip", ["netns", "add", this.name]);
    await this.run("ip", ["link", "set", "lo", "up"]);
    // Some of these begin as the machine's own have been set.
    await this.set({
      "ipv4/ip_forward": 0,
      "ipv4/conf/all/rp_filter": 0,
      "ipv4/conf/default/rp_filter": 0,
      "ipv6/conf/all/disable_ipv6": 1,
    });
  }

  /** Before, it has none: most of what is tested is a matter of IPv4. */
  async enableIpv6(): Promise<void> {
    await this.set({
      "ipv6/conf/all/disable_ipv6": 0,
      "ipv6/conf/default/disable_ipv6": 0,
      "ipv6/conf/all/accept_ra": 0,
    });
  }

  /** @param commands of `ip`, one after the other */
  async configure(commands: readonly string[]): Promise<void> {
    await this.run("ip", ["-batch", "-"], commands.map((each) => `${each}\n`).join(""));
  }

  /** Changes settings below `/proc/sys/net`, of this namespace alone. */
  async set(settings: Record<string, number | string>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `echo ${value} >${name}\n`);
    await this.run("sh", ["-e"], `cd /proc/sys/net\n${lines.join("")}`);
  }

  /** Starts a program in it. Its process id is the child's, and the caller ends it. */
  spawn(
    command: string,
    parameters: readonly string[] = [],
    options: SpawnOptions = {},
  ): ChildProcess {
    return spawn("ip", this.#inside(command, parameters), {
      ...options,
      env: environment(options.env),
    });
  }

  /** @returns what it wrote to its output; throws with its error output when it fails */
  run(command: string, parameters: readonly string[] = [], input = ""): Promise<string> {
    return run("ip", this.#inside(command, parameters), input);
  }

  #inside(command: string, parameters: readonly string[]): string[] {
    const inside = ["sh", "-c", WITH_NAMES, this.#hostsFile, command, ...parameters];
    return ["netns", "exec", this.name, ...inside];
  }
}

async function run(command: string, parameters: readonly string[], input = ""): Promise<string> {
  const child = spawn(command, parameters, { stdio: ["pipe", "pipe", "pipe"], env: environment() });
  // A program that does not read its input closes it early.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (child.exitCode === 0) return out;
  const ending = child.signalCode ?? `status ${child.exitCode}`;
  throw new Error(`${[command, ...parameters].join(" ")}: ${ending}\n${err || out}`);
}
