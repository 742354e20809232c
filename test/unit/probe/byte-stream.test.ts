import { expect, test } from "vitest";
import { ByteStream } from "../../../src/probe/byte-stream.ts";
import { ProtocolError } from "../../../src/probe/peer-errors.ts";
import { ScriptedConnection } from "../../support/scripted-connection.ts";

const KIB = 1024;

test("an answer is read though a flood comes in one go with it", async () => {
  const flooded = Buffer.concat([Buffer.from("answer"), Buffer.alloc(64 * KIB)]);
  const bytes = new ByteStream(new ScriptedConnection([flooded]));
  expect(Buffer.from(await bytes.take(6)).toString()).toBe("answer");
});

test("who has said more than 64 KiB is not listened to any more", async () => {
  const chunks = Array.from({ length: 10 }, () => Buffer.alloc(16 * KIB));
  const bytes = new ByteStream(new ScriptedConnection(chunks));
  await expect(bytes.take(10 * 16 * KIB)).rejects.toThrow(ProtocolError);
  await expect(bytes.take(80 * KIB)).resolves.toHaveLength(80 * KIB);
});
