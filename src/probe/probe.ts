import { Conversation } from "./conversation.ts";
import { TimeUp, within } from "./deadline.ts";
import { Dialer } from "./dialer.ts";
import { judge, type Identity } from "./judge.ts";
import { openChannel } from "./open-channel.ts";
import type { Random } from "./packet-channel.ts";
import { emptyDigest, secretDigest } from "./secret-digest.ts";
import type { ServerAddress } from "./server-address.ts";
import { DialError, type Connection, type Resolver, type Sockets } from "./sockets.ts";
import type { TargetPolicy } from "./target-policy.ts";
import type { Handshake, Verdict } from "./verdict.ts";

const CONNECT_LIMIT_MS = 5000;
const HANDSHAKE_LIMIT_MS = 3000;

/** What is checked, and as a member of which overlay network. */
export interface CheckTarget {
  server: ServerAddress;
  networkName: string;
  networkSecret: string;
  /**
   * Shows no secret: a node that does not know the network keeps nothing about it, so that it is
   * left as it was found. A secret that is right cannot be seen then.
   */
  anonymous?: boolean;
}

export interface ProbeParts {
  sockets: Sockets;
  resolver: Resolver;
  /** Milliseconds of a monotonic clock; fractions are fine. */
  now: () => number;
  /** For finding the address and connecting. */
  timeoutMs?: number;
  /** For all that comes after the connection opened. */
  handshakeMs?: number;
  random?: Random;
}

/** Finds out whether a server is up and whether it speaks the overlay protocol. Keeps nothing. */
export class Probe {
  readonly #dialer: Dialer;
  readonly #handshakeMs: number;
  readonly #random: Random;

  constructor({ sockets, resolver, now, timeoutMs, handshakeMs, random }: ProbeParts) {
    this.#dialer = new Dialer({ sockets, resolver, now, timeoutMs: timeoutMs ?? CONNECT_LIMIT_MS });
    this.#handshakeMs = handshakeMs ?? HANDSHAKE_LIMIT_MS;
    this.#random = random ?? ((length) => crypto.getRandomValues(new Uint8Array(length)));
  }

  /**
   * The address that stands for a server, resolved once, or a sentence why it is not dialled.
   * @throws the reason of `signal`
   */
  async locate(
    server: ServerAddress,
    policy: TargetPolicy,
    signal?: AbortSignal,
  ): Promise<{ address: string } | { error: string }> {
    const located = await this.#dialer.locate(server, policy, signal);
    return "error" in located ? located : { address: located.addresses[0] };
  }

  /**
   * Whatever the other side does is a verdict, found in time, and leaves no connection behind.
   * @throws the reason of `signal`; what goes wrong on this side, such as no sockets left
   */
  async check(target: CheckTarget, policy: TargetPolicy, signal?: AbortSignal): Promise<Verdict> {
    const dialled = await this.#dialer.dial(target.server, policy, signal);
    if ("error" in dialled) return { isOnline: false, error: dialled.error };
    const { connection, latencyMs } = dialled;
    try {
      const handshake = await this.#shakeHands(connection, target, signal);
      return { isOnline: true, latencyMs, handshake };
    } finally {
      connection.close();
    }
  }

  async #shakeHands(
    connection: Connection,
    target: CheckTarget,
    signal: AbortSignal | undefined,
  ): Promise<Handshake> {
    const identity = identityOf(target);
    const conversation = new Conversation(identity, this.#random);
    const open = () => openChannel(connection, target.server, this.#random);
    try {
      await within(this.#handshakeMs, signal, () => conversation.run(open));
    } catch (error) {
      if (error instanceof DialError) return "not_tried";
      if (!(error instanceof TimeUp)) throw error;
    }
    return judge(identity, conversation.findings);
  }
}

function identityOf({ networkName, networkSecret, anonymous }: CheckTarget): Identity {
  const digest = anonymous === true ? emptyDigest() : secretDigest(networkName, networkSecret);
  return { networkName, secretDigest: digest };
}
