import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decodeMessage, encodeMessage, TYPE } from "../../../src/server/domains/dns-message.ts";
import { DnsFormatError } from "../../../src/server/domains/dns-name.ts";
import { toQuery } from "../../../src/server/domains/dns-update.ts";
import {
  signMessage,
  verifyAnswer,
  type TsigAlgorithm,
  type TsigKey,
  type VerifiedAnswer,
} from "../../../src/server/domains/tsig.ts";

/** Values of the test of TSIG in the DHCP server of ISC: a plain query of one name. */
const ofIsc = {
  key: {
    name: "www.example.com",
    algorithm: "hmac-sha1",
    secret: Buffer.from("MA+QDhXbyqUak+qnMFyTyEirzng=", "base64"),
  } satisfies TsigKey,
  id: 2407,
  signedAt: 1303280991,
  mac: "415340c7daf824ed684ee586f7b5a67a2febc0d3",
};

/** Made with dnspython 2.3.0: an update of three record sets, its names compressed. */
const ofDnspython = Buffer.from(
  "126728000001000000060000076578616d706c6503636f6d000006000104686f6d65c00c000100ff" +
    "000000000000c01d000100010000003c0004c0000207025f78045f746370c01d002100ff00000000" +
    "0000c03e002100010000003c000800000005afc9c01dc01d001000ff000000000000c01d00100001" +
    "0000003c00100f3139322e302e322e373a3435303031",
  "hex",
);
const dnspythonMacs: readonly (readonly [TsigAlgorithm, string])[] = [
  ["hmac-sha1", "db3a7e000f9d3b5cd44f06008d2c4ad48dd3ba1f"],
  ["hmac-sha256", "5d1b2ac9a3e14ccf3497f52ee664ac310345caf67d2ff5274c669af52f1cffbd"],
  [
    "hmac-sha384",
    "54e70fe524abf213a39a899fae0728fff94f5a49551b2125c303b93b439fa3465eba71e2bea22df00135e59052f783fb",
  ],
  [
    "hmac-sha512",
    "679ea99aad9fb52d890cdcefa8a05970a86e4605f9b69f28665e96d068b74e2f4fea9560c7b64ca33b9c594d526afbdd0b4ceb988f6bb052c3e2b02c9dd20315",
  ],
];
const AT = 1_700_000_000_000;

function keyFor(algorithm: TsigAlgorithm): TsigKey {
  const secret = Buffer.from("secret-test-key-32-bytes-long!!!");
  return { name: "ddns-key", algorithm, secret };
}

test("ISC's signature of a query is ours", () => {
  const query = encodeMessage(toQuery(ofIsc.id, "www.example.com", TYPE.A));
  // Recursion desired.
  query.writeUInt8(1, 2);
  const { mac } = signMessage(query, ofIsc.key, ofIsc.signedAt * 1000);
  expect(mac.toString("hex")).toBe(ofIsc.mac);
});

test.each(dnspythonMacs)("dnspython's %s of an update is ours", (algorithm, mac) => {
  const signed = signMessage(ofDnspython, keyFor(algorithm), AT);
  expect(signed.mac.toString("hex")).toBe(mac);
  const { message } = decodeMessage(signed.bytes);
  expect(message.additionals).toMatchObject([{ name: "ddns-key", type: TYPE.TSIG, class: 255 }]);
  expect(signed.bytes.subarray(12, ofDnspython.length)).toEqual(ofDnspython.subarray(12));
});

test("the digest has the length of its algorithm, SHA-224 too", () => {
  const { mac, bytes } = signMessage(ofDnspython, keyFor("hmac-sha224"), AT);
  expect(mac).toHaveLength(28);
  expect(bytes.includes(Buffer.from("\x0bhmac-sha224\0"))).toBe(true);
});

describe("an answer", () => {
  const key = keyFor("hmac-sha256");
  const request = signMessage(encodeMessage(toQuery(7, "home.example.com", TYPE.A)), key, AT);
  const plain = encodeMessage({ ...toQuery(7, "home.example.com", TYPE.A), isAnswer: true });
  /** As a server signs: the request's digest stands before the rest (RFC 8945 §5.3). */
  const answer = (change: Partial<SignedAnswer> = {}) =>
    signAnswer({ message: plain, key, requestMac: request.mac, at: AT / 1000, ...change });
  const judge = (bytes: Buffer, now = AT) => verifyAnswer(bytes, request, key, now);

  test("with the key's signature is believed", () => {
    expect(judge(answer())).toMatchObject({ kind: "signed", message: { id: 7, isAnswer: true } });
  });

  test("without a signature is told apart", () => {
    expect(judge(plain).kind).toBe("unsigned");
  });

  test.each<[string, Partial<SignedAnswer>, string]>([
    ["another secret", { key: { ...key, secret: Buffer.from("x") } }, "its signature is wrong"],
    ["another key", { key: { ...key, name: "other" } }, "it is signed with another key"],
    [
      "another algorithm",
      { key: { ...key, algorithm: "hmac-sha512" } },
      "it is signed with another algorithm",
    ],
    ["another request", { requestMac: Buffer.alloc(32) }, "its signature is wrong"],
    ["another time", { at: AT / 1000 - 301 }, "it was signed at another time"],
  ])("to %s is forged", (_what, change, reason) => {
    expect(judge(answer(change))).toMatchObject({ kind: "forged", reason });
  });

  test("with one bit changed anywhere is not believed, or says the same", () => {
    const good = answer();
    const said = contentOf(judge(good));
    let believed = 0;
    for (let bit = 16; bit < good.length * 8; bit++) {
      const bad = Buffer.from(good);
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const verdict = readable(() => judge(bad));
      if (verdict?.kind !== "signed") continue;
      believed++;
      expect(contentOf(verdict), `bit ${bit}`).toEqual(said);
    }
    // The case of two names, and a class and a TTL that mean nothing.
    expect(believed).toBeLessThan(80);
  });

  test("that refuses the key names the error, unsigned", () => {
    expect(judge(answer({ error: 17, mac: Buffer.alloc(0) }))).toMatchObject({
      kind: "refused_signature",
      error: 17,
    });
  });

  test("that refuses the time tells the server's own, signed", () => {
    const other = Buffer.from([0, 0, 0x65, 0x53, 0xff, 0xff]);
    expect(judge(answer({ error: 18, other }))).toMatchObject({
      kind: "refused_signature",
      error: 18,
      serverTime: 0x6553ffff,
    });
    const forgedTime = answer({ error: 18, other, key: { ...key, secret: Buffer.from("x") } });
    expect(judge(forgedTime).kind).toBe("forged");
  });
});

interface SignedAnswer {
  message: Buffer;
  key: TsigKey;
  requestMac: Buffer;
  /** In seconds since 1970. */
  at: number;
  error?: number;
  other?: Buffer;
  mac?: Buffer;
}

/** A second reading of RFC 8945 §4.3, byte by byte. */
function signAnswer({ message, key, requestMac, at, ...rest }: SignedAnswer): Buffer {
  const { error = 0, other = Buffer.alloc(0) } = rest;
  const name = wireName(key.name);
  const algorithm = wireName(key.algorithm);
  const time = Buffer.alloc(8);
  time.writeUIntBE(at, 0, 6);
  time.writeUInt16BE(300, 6);
  const tail = Buffer.concat([uint16(error), uint16(other.length), other]);
  const mac =
    rest.mac ??
    createHmac(key.algorithm.slice(5), key.secret)
      .update(Buffer.concat([uint16(requestMac.length), requestMac, message, name]))
      .update(Buffer.from("00ff00000000", "hex"))
      .update(Buffer.concat([algorithm, time, tail]))
      .digest();
  const data = Buffer.concat([algorithm, time, uint16(mac.length), mac, uint16(7), tail]);
  const head = Buffer.concat([name, Buffer.from("00fa00ff00000000", "hex"), uint16(data.length)]);
  const bytes = Buffer.concat([message, head, data]);
  bytes.writeUInt16BE(1, 10);
  return bytes;
}

function wireName(name: string): Buffer {
  const labels = name.split(".").map((label) => `${String.fromCharCode(label.length)}${label}`);
  return Buffer.from(`${labels.join("")}\0`, "latin1");
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

/** What an answer says beside its signature. */
function contentOf({ message }: VerifiedAnswer) {
  return { ...message, additionals: message.additionals.slice(0, -1) };
}

/** A message that cannot be read is not believed either. */
function readable(judge: () => VerifiedAnswer): VerifiedAnswer | undefined {
  try {
    return judge();
  } catch (error) {
    if (error instanceof DnsFormatError) return undefined;
    throw error;
  }
}
