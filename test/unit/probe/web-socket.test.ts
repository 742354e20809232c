import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { ByteStream } from "../../../src/probe/byte-stream.ts";
import { NodeConnection } from "../../../src/probe/node/connection.ts";
import type { PacketChannel } from "../../../src/probe/packet-channel.ts";
import { ConnectionEnded, ProtocolError } from "../../../src/probe/peer-errors.ts";
import { openWebSocket } from "../../../src/probe/web-socket.ts";
import { addressOf } from "../../support/probing.ts";
import { ScriptedConnection } from "../../support/scripted-connection.ts";

const server = addressOf("ws://node.example:11011");
const zeros = (length: number) => new Uint8Array(length);
/** What belongs to the key that `zeros` makes. */
const ACCEPT = createHash("sha1")
  .update(`${Buffer.alloc(16).toString("base64")}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
  .digest("base64");
const GOOD = [
  "HTTP/1.1 101 Switching Protocols",
  "Upgrade: websocket",
  "Connection: Upgrade",
  `Sec-WebSocket-Accept: ${ACCEPT}`,
];
const head = (lines: readonly string[]) => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);

async function open(
  ...chunks: Uint8Array[]
): Promise<{ connection: ScriptedConnection; channel: PacketChannel }> {
  const connection = new ScriptedConnection(chunks);
  return { connection, channel: await openWebSocket(new ByteStream(connection), server, zeros) };
}

describe("the request to upgrade", () => {
  test.each([
    ["ws://node.example:11011", "node.example:11011"],
    ["ws://node.example:80", "node.example"],
    ["wss://node.example:443", "node.example"],
    ["wss://[2001:db8::1]:8443", "[2001:db8::1]:8443"],
  ])("of %s names the host %s", async (address, host) => {
    const connection = new ScriptedConnection([head(GOOD)]);
    await openWebSocket(new ByteStream(connection), addressOf(address), zeros);
    const [request, ...headers] = connection.sent.toString().split("\r\n");
    expect(request).toBe("GET / HTTP/1.1");
    expect(headers).toEqual([
      `Host: ${host}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      "Sec-WebSocket-Version: 13",
      "",
      "",
    ]);
  });
});

describe("the answer to an upgrade", () => {
  const replaced = (index: number, line: string) => GOOD.with(index, line);

  test.each([
    [
      "in another case",
      [GOOD[0], "UPGRADE: WebSocket", "connection: keep-alive, UPGRADE", GOOD[3]],
    ],
    ["with more headers and blanks", [...GOOD, "Server:", "X-Thing:  a b\t"]],
    ["without a reason", replaced(0, "HTTP/1.1 101")],
  ])("is taken %s", async (_how, lines) => {
    await expect(open(head(lines as string[]))).resolves.toBeDefined();
  });

  test.each([
    ["another status", replaced(0, "HTTP/1.1 200 OK")],
    ["a redirect", replaced(0, "HTTP/1.1 302 Found")],
    ["another protocol", replaced(0, "SSH-2.0-OpenSSH_9.9")],
    ["HTTP/1.0", replaced(0, "HTTP/1.0 101 Switching Protocols")],
    ["a longer status", replaced(0, "HTTP/1.1 1010 Switching")],
    ["another upgrade", replaced(1, "Upgrade: h2c")],
    ["no upgrade", replaced(2, "Connection: close")],
    [
      "the accept value of another key",
      replaced(3, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ],
    ["two accept values", [...GOOD, `Sec-WebSocket-Accept: ${ACCEPT}`]],
    ["no accept value", GOOD.slice(0, 3)],
    ["an extension", [...GOOD, "Sec-WebSocket-Extensions: permessage-deflate"]],
    ["a sub-protocol", [...GOOD, "Sec-WebSocket-Protocol: chat"]],
    ["a folded header", [...GOOD, "X-Thing: a", " b"]],
    ["a header without a name", [...GOOD, ": a"]],
    ["a blank before the colon", [...GOOD, "X-Thing : a"]],
    ["a control character", [...GOOD, "X-Thing: a\0b"]],
  ])("is refused with %s", async (_what, lines) => {
    await expect(open(head(lines))).rejects.toBeInstanceOf(ProtocolError);
  });

  test("is refused when it is longer than 8 KiB, as soon as that is clear", async () => {
    const endless = Array.from({ length: 9 }, () => Buffer.alloc(1000, "a"));
    await expect(open(...endless)).rejects.toBeInstanceOf(ProtocolError);
    await expect(open(Buffer.alloc(8191, "a"))).rejects.toBeInstanceOf(ConnectionEnded);
  });

  test("may arrive byte by byte, with the first message behind it", async () => {
    const bytes = Buffer.concat([head(GOOD), Buffer.from([0x82, 3, 1, 2, 3])]);
    const { channel } = await open(...Array.from(bytes, (byte) => Buffer.of(byte)));
    expect([...(await channel.receive())]).toEqual([1, 2, 3]);
  });
});

describe("a message", () => {
  test.each([
    ["in one frame", [0x82, 2, 1, 2], [1, 2]],
    ["in pieces", [0x02, 1, 1, 0x00, 0, 0x80, 2, 2, 3], [1, 2, 3]],
    ["with a ping between its pieces", [0x02, 1, 1, 0x89, 1, 9, 0x80, 1, 2], [1, 2]],
    ["with a length in 16 bits", [0x82, 126, 0, 2, 1, 2], [1, 2]],
    ["with a length in 64 bits", [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2], [1, 2]],
    ["of nothing", [0x82, 0], []],
  ])("is read %s", async (_how, frames, message) => {
    const { channel } = await open(head(GOOD), Buffer.from(frames));
    expect([...(await channel.receive())]).toEqual(message);
  });

  test.each([
    ["text", [0x81, 1, 65]],
    ["a continuation of nothing", [0x80, 1, 65]],
    ["a new message within another", [0x02, 1, 1, 0x82, 1, 1]],
    ["a masked frame", [0x82, 0x81, 0, 0, 0, 0, 1]],
    ["a reserved bit", [0xc2, 1, 1]],
    ["an unknown kind", [0x83, 1, 1]],
    ["an unknown control frame", [0x8b, 0]],
    ["a ping in pieces", [0x09, 1, 1]],
    ["a ping of 126 bytes", [0x89, 126, 0, 126]],
    ["a length of 2001", [0x82, 126, 0x07, 0xd1]],
    ["a length of 2^64", [0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255]],
  ])("is refused when it is %s", async (_what, frames) => {
    const { channel } = await open(head(GOOD), Buffer.from(frames), Buffer.alloc(4000));
    await expect(channel.receive()).rejects.toBeInstanceOf(ProtocolError);
  });

  test("is refused when its pieces are too long together", async () => {
    const [begin, go] = [0x02, 0x00].map((first) => Buffer.from([first, 126, 0x03, 0xe9]));
    const piece = Buffer.alloc(1001);
    const { channel } = await open(head(GOOD), begin as Buffer, piece, go as Buffer, piece);
    await expect(channel.receive()).rejects.toBeInstanceOf(ProtocolError);
  });

  test("answers pings with their bytes, and a close with its status", async () => {
    const frames = Buffer.from([0x89, 2, 7, 8, 0x88, 4, 0x03, 0xe9, 65, 66]);
    const { connection, channel } = await open(head(GOOD), frames);
    await expect(channel.receive()).rejects.toBeInstanceOf(ConnectionEnded);
    const mask = [0, 0, 0, 0];
    const said = connection.written.slice(1).map((bytes) => Array.from(bytes));
    expect(said).toEqual([
      [0x8a, 0x82, ...mask, 7, 8],
      [0x88, 0x82, ...mask, 0x03, 0xe9],
    ]);
  });
});

function random(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

describe("a WebSocket to the server of another library", () => {
  const servers: WebSocketServer[] = [];

  afterEach(async () => {
    for (const each of servers.splice(0)) {
      each.close();
      await once(each, "close");
    }
  });

  async function connected(): Promise<{
    theirs: WebSocket;
    ours: PacketChannel;
    leave: () => void;
  }> {
    const listening = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    servers.push(listening);
    await once(listening, "listening");
    const { port } = listening.address() as AddressInfo;
    const arrival = once(listening, "connection");
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const address = addressOf(`ws://127.0.0.1:${port}`);
    const connection = new NodeConnection(socket);
    const ours = await openWebSocket(new ByteStream(connection), address, random);
    const [theirs] = (await arrival) as [WebSocket];
    return { theirs, ours, leave: () => connection.close() };
  }

  test("carries messages of every length both ways", async () => {
    const { theirs, ours, leave } = await connected();
    theirs.on("message", (data: Buffer) => theirs.send(data));
    const lengths = [0, 1, 3, 4, 124, 125, 126, 127, 128, 255, 256, 1999, 2000];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lengths), fc.nat(255), async (length, byte) => {
        const message = Buffer.alloc(length, byte);
        await ours.send(message);
        expect(Buffer.from(await ours.receive())).toEqual(message);
      }),
      { numRuns: 30, examples: lengths.map((length): [number, number] => [length, 65]) },
    );
    leave();
  });

  test("puts pieces together, and answers pings between them", async () => {
    const { theirs, ours, leave } = await connected();
    const ponged = once(theirs, "pong");
    theirs.send(Buffer.from("one "), { fin: false, binary: true });
    theirs.ping("still there?");
    theirs.send(Buffer.from("message"), { fin: true });
    expect(Buffer.from(await ours.receive()).toString()).toBe("one message");
    expect(String((await ponged)[0])).toBe("still there?");
    leave();
  });

  test("ends in good order from either side", async () => {
    const first = await connected();
    const closed = once(first.theirs, "close");
    await first.ours.end();
    await expect(first.ours.receive()).rejects.toBeInstanceOf(ConnectionEnded);
    first.leave();
    expect((await closed)[0]).toBe(1000);
    const second = await connected();
    const closedToo = once(second.theirs, "close");
    second.theirs.close(1001, "going away");
    await expect(second.ours.receive()).rejects.toBeInstanceOf(ConnectionEnded);
    second.leave();
    expect((await closedToo)[0]).toBe(1001);
  });
});
