import { digestOf, helloOf, kinds, packetOf, readHello, type Hello } from "./overlay-codec.ts";

/** How a node behaves once packets reach it. */
export type NodeMode =
  /** As current nodes do. */
  | "member"
  /** Speaks Noise with its own network, and refuses those who do not. */
  | "secure"
  /** As nodes before 2.4: shows its digest to everybody. */
  | "old"
  /** Holds credentials instead of the secret: its digest is all zeros. */
  | "credential"
  /** Answers and stays, but never with a pong. */
  | "deaf"
  /** Answers pings with another number than they carry. */
  | "forgetful"
  /** Admits whoever names its network, but shows that its secret is another. */
  | "lenient"
  /** Says nothing at all. */
  | "mute"
  /** Sends back what it hears. */
  | "echo"
  /** Shakes hands, then talks without end, but not with us. */
  | "floods"
  /** Its own ping and news come in one go with its answer. */
  | "talkative"
  | "wrong-magic"
  | "wrong-version"
  | "short-digest"
  | "junk"
  /** Answers with a packet that is none of a handshake. */
  | "wrong-type"
  /** Announces more than follows, and more than is allowed. */
  | "oversize"
  /** Hangs up as soon as it hears anything. */
  | "hangs-up";

export interface Network {
  name: string;
  secret: string;
}

export interface OverlayNodeOptions {
  mode: NodeMode;
  network: Network;
  /** Whether it carries other networks too. */
  foreign: "relay" | "refuse";
}

/** The way back to whoever connected. */
export interface Caller {
  /** Whole packets; those given together arrive together where the transport can do that. */
  send(...packets: Buffer[]): void;
  /** Bytes as they are, whatever the transport calls a packet. */
  sendRaw(bytes: Buffer): void;
  hangUp(): void;
}

const PEER_ID = 0x0a0b0c0d;
const NOTHING = Buffer.alloc(32);

/** One connection as the node sees it. */
export class OverlayNode {
  readonly hellos: Hello[] = [];
  readonly packets: Buffer[] = [];
  readonly #options: OverlayNodeOptions;
  readonly #caller: Caller;
  #admitted = false;

  constructor(options: OverlayNodeOptions, caller: Caller) {
    this.#options = options;
    this.#caller = caller;
  }

  hear(packet: Buffer): void {
    this.packets.push(Buffer.from(packet));
    const { mode } = this.#options;
    if (mode === "mute") return;
    if (mode === "echo") this.#caller.send(packet);
    else if (mode === "hangs-up") this.#caller.hangUp();
    else if (this.hellos.length === 0) this.#answer(packet);
    else if (packet[8] === kinds.ping && this.#admitted) this.#pong(packet);
  }

  #pong(ping: Buffer): void {
    if (this.#options.mode === "deaf") return;
    const pong = Buffer.from(ping);
    pong[8] = kinds.pong;
    if (this.#options.mode === "forgetful") pong[16] = (pong[16] ?? 0) ^ 1;
    this.#caller.send(pong);
  }

  #answer(packet: Buffer): void {
    const hello = readHello(packet.subarray(16));
    this.hellos.push(hello);
    const { mode, network } = this.#options;
    const own = mode === "credential" ? NOTHING : digestOf(network.name, network.secret);
    const known = hello.networkName === network.name && hello.digest.equals(own);
    const answer = helloOf({
      peerId: PEER_ID,
      features: ["a-feature-of-tomorrow"],
      networkName: network.name,
      digest: known || mode === "old" || mode === "lenient" ? own : NOTHING,
      ...this.#faults(),
    });
    if (mode === "junk") return this.#caller.sendRaw(Buffer.from("\x1b[2J220 welcome\r\n"));
    if (mode === "oversize") return this.#caller.sendRaw(oversize());
    const kind = mode === "wrong-type" ? kinds.data : kinds.handshake;
    const first = packetOf(kind, PEER_ID, 0, answer);
    const news = mode === "talkative" ? smallTalk(hello.peerId) : [];
    this.#caller.send(first, ...news);
    this.#decide(hello, own);
  }

  #faults(): Partial<Hello> {
    const { mode } = this.#options;
    if (mode === "wrong-magic") return { magic: 0xd1e1a5e2 };
    if (mode === "wrong-version") return { version: 2 };
    if (mode === "short-digest") return { digest: Buffer.alloc(31) };
    return {};
  }

  #decide(hello: Hello, own: Buffer): void {
    const { mode, network, foreign } = this.#options;
    const showsNothing = hello.digest.equals(NOTHING);
    if (hello.networkName === network.name) {
      const matches =
        hello.digest.equals(own) || showsNothing || own.equals(NOTHING) || mode === "lenient";
      this.#admitted = matches && mode !== "secure";
    } else {
      // A network that is not known yet is not made for somebody who shows no secret.
      this.#admitted = foreign === "relay" && !showsNothing;
    }
    if (!this.#admitted) this.#caller.hangUp();
    else if (mode === "floods") this.#flood();
  }

  #flood(): void {
    const news = packetOf(kinds.data, PEER_ID, 0, Buffer.alloc(1900, 1));
    for (let count = 0; count < 200; count++) this.#caller.send(news);
  }
}

function smallTalk(to: number): Buffer[] {
  return [
    packetOf(kinds.ping, PEER_ID, to, Buffer.from([7, 0, 0, 0])),
    packetOf(kinds.pong, PEER_ID, to, Buffer.from("not the one you sent")),
    packetOf(kinds.rpcRequest, PEER_ID, to, Buffer.alloc(1984, 0xff)),
  ];
}

function oversize(): Buffer {
  const bytes = Buffer.alloc(4 + 2001);
  bytes.writeUInt32LE(2001, 0);
  return bytes;
}
