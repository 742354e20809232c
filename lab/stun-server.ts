import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { STUN_SERVERS } from "./address-plan.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Namespace } from "./namespace.ts";
import type { Peer } from "./peer.ts";
import { RemoteProgram } from "./remote-program.ts";

const PORT = 3478;
const OTHER_PORT = 3479;
const START_MS = 10_000;

const lyingServer = new URL("programs/lying-server.ts", import.meta.url);

export interface StunServerPlace {
  namespace: Namespace;
  folder: string;
  hasIpv6: boolean;
  /** Somebody beside it, who tells when it answers. */
  neighbour: Peer;
}

/** Coturn on two addresses with two ports each, as RFC 5780 needs it, over UDP and TCP. */
export class StunServer {
  readonly name: string;
  readonly addresses: readonly [string, string];
  readonly #namespace: Namespace;
  readonly #folder: string;
  readonly #neighbour: Peer;
  readonly #ipv6: readonly string[];
  #coturn: ChildProcess | undefined;
  #liar: RemoteProgram | undefined;

  constructor(
    { name, addresses, ipv6 }: (typeof STUN_SERVERS)[number],
    { namespace, folder, hasIpv6, neighbour }: StunServerPlace,
  ) {
    this.#ipv6 = hasIpv6 ? ipv6 : [];
    this.name = name;
    this.addresses = addresses;
    this.#namespace = namespace;
    this.#folder = folder;
    this.#neighbour = neighbour;
  }

  get endpoint(): Endpoint {
    return { address: this.addresses[0], port: PORT };
  }

  /** The primary one; the same port of the other address; the other port of both. */
  get endpoints(): readonly Endpoint[] {
    const [first, second] = this.addresses;
    return [
      { address: first, port: PORT },
      { address: second, port: PORT },
      { address: first, port: OTHER_PORT },
      { address: second, port: OTHER_PORT },
    ];
  }

  /** Starts it, or starts it again. Resolves when it answers. */
  async start(): Promise<void> {
    await this.kill();
    const [first, second] = this.addresses;
    const ports = ["--listening-port", `${PORT}`, "--alt-listening-port", `${OTHER_PORT}`];
    const all = [first, second, ...this.#ipv6];
    const listeners = [...all.flatMap((address) => ["--listening-ip", address]), ...ports];
    const plain = ["-n", "--stun-only", "--no-auth", "--no-cli", "--no-tls", "--no-dtls"];
    const files = [
      "--log-file",
      "stdout",
      "--pidfile",
      this.#file("pid"),
      "--db",
      this.#file("db"),
    ];
    this.#coturn = this.#namespace.spawn(
      "turnserver",
      [...plain, ...listeners, "--relay-threads", "0", ...files],
      { stdio: "ignore" },
    );
    await this.#answers(this.#coturn);
  }

  /** Ends it as a power cut of the program would: its ports are closed from now on. */
  async kill(): Promise<void> {
    if (this.#coturn && this.#coturn.exitCode === null && this.#coturn.signalCode === null) {
      this.#coturn.kill("SIGKILL");
      await once(this.#coturn, "exit");
    }
    await this.#liar?.kill();
    this.#liar = undefined;
  }

  /** Puts in its place one that tells everybody this endpoint; `start` brings the honest one back. */
  async lie(mapped: Endpoint): Promise<void> {
    const liar = await RemoteProgram.start(this.#namespace, lyingServer);
    await this.kill();
    await liar.ask("lie", { at: this.endpoints, mapped });
    this.#liar = liar;
  }

  async #answers(coturn: ChildProcess): Promise<void> {
    const deadline = performance.now() + START_MS;
    const port = await this.#neighbour.open("udp");
    for (const endpoint of this.endpoints) {
      for (const transport of ["udp", "tcp"] as const) {
        const from = transport === "udp" ? port : 0;
        while (!(await this.#neighbour.query(transport, from, endpoint, 100))) {
          if (coturn.exitCode !== null || performance.now() > deadline) {
            throw new Error(`${this.name} does not answer: coturn's status is ${coturn.exitCode}.`);
          }
          await sleep(20);
        }
      }
    }
    await this.#neighbour.close("udp", port);
  }

  #file(suffix: string): string {
    return join(this.#folder, `${this.name}.${suffix}`);
  }
}
