/**
 * The overlay protocol once more, written apart from the probe so that the two can disagree: with
 * BigInt where the probe has halves, with Buffers, and without any hardening.
 */

const WORD = (1n << 64n) - 1n;
const rotated = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & WORD;

/** SipHash-1-3 with a key of zeros. */
function sipHash(message: Buffer): bigint {
  let [a, b, c, d] = [
    0x736f6d6570736575n,
    0x646f72616e646f6dn,
    0x6c7967656e657261n,
    0x7465646279746573n,
  ];
  const round = () => {
    a = (a + b) & WORD;
    c = (c + d) & WORD;
    b = rotated(b, 13n) ^ a;
    d = rotated(d, 16n) ^ c;
    a = rotated(a, 32n);
    c = (c + b) & WORD;
    a = (a + d) & WORD;
    b = rotated(b, 17n) ^ c;
    d = rotated(d, 21n) ^ a;
    c = rotated(c, 32n);
  };
  const whole = Buffer.alloc(Math.floor(message.length / 8) * 8 + 8);
  message.copy(whole);
  whole[whole.length - 1] = message.length % 256;
  for (let at = 0; at < whole.length; at += 8) {
    const word = whole.readBigUInt64LE(at);
    d ^= word;
    round();
    a ^= word;
  }
  c ^= 0xffn;
  round();
  round();
  round();
  return a ^ b ^ c ^ d;
}

export function digestOf(networkName: string, networkSecret: string): Buffer {
  const fed = [Buffer.from(networkName + networkSecret)];
  const digest = Buffer.alloc(32);
  for (let at = 0; at < 32; at += 8) {
    digest.writeBigUInt64BE(sipHash(Buffer.concat(fed)), at);
    fed.push(Buffer.from(digest.subarray(0, at + 8)));
  }
  return digest;
}

export const kinds = { data: 1, handshake: 2, ping: 4, pong: 5, rpcRequest: 8 } as const;

export function packetOf(kind: number, from: number, to: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(from, 0);
  header.writeUInt32LE(to, 4);
  header[8] = kind;
  header[10] = 1;
  header.writeUInt32LE(payload.length, 12);
  return Buffer.concat([header, payload]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function delimited(tag: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...varint(value.length)]), value]);
}

export interface Hello {
  magic: number;
  peerId: number;
  version: number;
  features: string[];
  networkName: string;
  digest: Buffer;
}

const MAGIC = 0xd1e1a5e1;

export function helloOf(hello: Partial<Hello>): Buffer {
  const { magic = MAGIC, peerId = 1, version = 1, features = [] } = hello;
  return Buffer.concat([
    Buffer.from([0x08, ...varint(magic), 0x10, ...varint(peerId), 0x18, ...varint(version)]),
    ...features.map((feature) => delimited(0x22, Buffer.from(feature))),
    delimited(0x2a, Buffer.from(hello.networkName ?? "")),
    delimited(0x32, hello.digest ?? Buffer.alloc(32)),
  ]);
}

/** Of a well-formed message only. */
export function readHello(message: Buffer): Hello {
  const hello: Hello = {
    magic: 0,
    peerId: 0,
    version: 0,
    features: [],
    networkName: "",
    digest: Buffer.alloc(0),
  };
  let at = 0;
  const number = () => {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  };
  const bytes = () => {
    const length = number();
    at += length;
    return message.subarray(at - length, at);
  };
  const readers: Record<number, () => unknown> = {
    0x08: () => (hello.magic = number()),
    0x10: () => (hello.peerId = number()),
    0x18: () => (hello.version = number()),
    0x22: () => hello.features.push(bytes().toString()),
    0x2a: () => (hello.networkName = bytes().toString()),
    0x32: () => (hello.digest = bytes()),
  };
  while (at < message.length) {
    const tag = number();
    const reader = readers[tag];
    if (!reader) throw new Error(`the hello has an unknown tag ${tag}`);
    reader();
  }
  return hello;
}
