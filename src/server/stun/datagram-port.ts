import { TimeUp, within } from "../../probe/deadline.ts";
import { BindingTransactions, type BindingOutcome, type BindingQuestion } from "./binding.ts";
import type { DatagramPort } from "./diagnosis-ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { UdpSocket } from "./udp-socket.ts";

/** More than a diagnosis sends to itself. */
const MOST_KEPT = 16;

/** A UDP socket that asks, and remembers what else came. */
export class UdpPort implements DatagramPort {
  readonly #transactions: BindingTransactions;
  readonly #heard = new Set<string>();
  readonly #listeners = new Set<(text: string) => void>();
  readonly #socket: UdpSocket;

  constructor(localAddress: string | null) {
    this.#socket = new UdpSocket(localAddress, 0, {
      onMessage: (bytes, from) => {
        if (!this.#transactions.handle(bytes, from)) this.#hear(bytes.toString("hex"));
      },
      // What a socket reports later concerns single datagrams, which count as lost.
      onError: () => {},
    });
    this.#transactions = new BindingTransactions({
      send: (bytes, to) => this.#socket.send(bytes, to),
    });
  }

  get local(): Endpoint {
    return this.#socket.local;
  }

  get misplacedAnswers(): number {
    return this.#transactions.strays.forged;
  }

  open(): Promise<void> {
    return this.#socket.open();
  }

  ask(question: BindingQuestion, signal: AbortSignal): Promise<BindingOutcome> {
    return this.#transactions.ask(question, signal);
  }

  send(bytes: Buffer, to: Endpoint): void {
    this.#socket.send(bytes, to).catch(() => {});
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
    const closed = this.#socket.close();
    this.#transactions.end("The port was closed");
    await closed;
  }

  #hear(text: string): void {
    if (this.#heard.size < MOST_KEPT) this.#heard.add(text);
    for (const listener of this.#listeners) listener(text);
  }
}
