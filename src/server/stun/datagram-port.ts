import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { TimeUp, within } from "../../probe/deadline.ts";
import { BindingTransactions, type BindingOutcome, type BindingQuestion } from "./binding.ts";
import type { DatagramPort } from "./diagnosis-ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { toBindAddress } from "./local-address.ts";
import { toHoleError } from "./system-error.ts";

/** More than a diagnosis sends to itself. */
const MOST_KEPT = 16;

/** A UDP socket that asks, and remembers what else came. */
export class UdpPort implements DatagramPort {
  readonly #transactions = new BindingTransactions({ send: (bytes, to) => this.#send(bytes, to) });
  readonly #heard = new Set<string>();
  readonly #listeners = new Set<(text: string) => void>();
  #socket: Socket | undefined;
  #local: Endpoint;

  constructor(localAddress: string | null) {
    this.#local = { address: toBindAddress(localAddress), port: 0 };
  }

  get local(): Endpoint {
    return this.#local;
  }

  get misplacedAnswers(): number {
    return this.#transactions.strays.forged;
  }

  async open(): Promise<void> {
    const socket = createSocket(isIPv6(this.#local.address) ? "udp6" : "udp4");
    this.#socket = socket;
    try {
      const bound = Promise.race([once(socket, "listening"), once(socket, "close")]);
      socket.bind({ ...this.#local, exclusive: true });
      await bound;
    } catch (error) {
      await this.close();
      throw toHoleError(error, "UDP", this.#local);
    }
    if (this.#socket !== socket) return;
    this.#local = { address: this.#local.address, port: socket.address().port };
    // What a socket reports later concerns single datagrams, which count as lost.
    socket.on("error", () => {});
    socket.on("message", (bytes, from) => {
      if (!this.#transactions.handle(bytes, from)) this.#hear(bytes.toString("hex"));
    });
  }

  ask(question: BindingQuestion, signal: AbortSignal): Promise<BindingOutcome> {
    return this.#transactions.ask(question, signal);
  }

  send(bytes: Buffer, to: Endpoint): void {
    this.#send(bytes, to).catch(() => {});
  }

  async hears(bytes: Buffer, withinMs: number, signal: AbortSignal): Promise<boolean> {
    const text = bytes.toString("hex");
    if (this.#heard.has(text)) return true;
    const heard = Promise.withResolvers<true>();
    const listener = (other: string) => {
      if (other === text) heard.resolve(true);
    };
    this.#listeners.add(listener);
    try {
      return await within(withinMs, signal, () => heard.promise);
    } catch (error) {
      if (error instanceof TimeUp) return false;
      throw error;
    } finally {
      this.#listeners.delete(listener);
    }
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#transactions.end("The port was closed");
    if (!socket) return;
    const closed = once(socket, "close");
    socket.close();
    await closed;
  }

  #hear(text: string): void {
    if (this.#heard.size < MOST_KEPT) this.#heard.add(text);
    for (const listener of this.#listeners) listener(text);
  }

  #send(bytes: Buffer, { address, port }: Endpoint): Promise<void> {
    const sent = Promise.withResolvers<void>();
    if (!this.#socket) return Promise.reject(new Error("The port is not open"));
    this.#socket.send(bytes, port, address, (error) => {
      if (error) sent.reject(error);
      else sent.resolve();
    });
    return sent.promise;
  }
}
