import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NodeResolver } from "../../../src/probe/node/resolver.ts";
import { DialError } from "../../../src/probe/sockets.ts";
import { NameServer } from "../../support/name-server.ts";

let server: NameServer;
let folder: string;
let resolver: NodeResolver;
const forever = new AbortController().signal;

beforeAll(async () => {
  server = await NameServer.listen({
    "both.example": {
      A: ["c0000201", "c0000202"],
      AAAA: ["20010db8000000000000000000000001"],
    },
    "six.example": { AAAA: ["20010db8000000000000000000000001"] },
    "empty.example": {},
    "silent.example": "silent",
    "broken.example": "failure",
  });
  folder = await mkdtemp(join(tmpdir(), "waypost-hosts-"));
  const hostsFile = join(folder, "hosts");
  await writeFile(
    hostsFile,
    [
      "192.0.2.9 listed.example alias.example # both.example",
      "# 192.0.2.8 both.example",
      "\t2001:db8::9\tLISTED.example",
      "192.0.2.9 listed.example",
      "not-an-address listed.example",
      "",
    ].join("\n"),
  );
  resolver = new NodeResolver({ servers: [server.address], hostsFile });
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe("resolving a name", () => {
  test.each([
    ["both.example", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]],
    ["six.example", ["2001:db8::1"]],
    ["empty.example", []],
    ["unknown.example", []],
    ["listed.example", ["192.0.2.9", "2001:db8::9"]],
    ["alias.example", ["192.0.2.9"]],
    ["localhost", ["127.0.0.1", "::1"]],
    ["a.localhost", ["127.0.0.1", "::1"]],
  ])("%s gives %j", async (name, addresses) => {
    expect(await resolver.resolve(name, forever)).toEqual(addresses);
  });

  test("asks no server about names that it knows itself", async () => {
    server.asked.length = 0;
    for (const name of ["listed.example", "localhost", "a.localhost"]) {
      await resolver.resolve(name, forever);
    }
    expect(server.asked).toEqual([]);
  });

  test("fails when the server does", async () => {
    const failing = resolver.resolve("broken.example", forever);
    await expect(failing).rejects.toEqual(
      new DialError("name_unresolved", "The name could not be resolved"),
    );
  });

  test("ends when it is called off, and many at a time hinder nobody", async () => {
    const calling = new AbortController();
    const reason = new Error("called off");
    const waiting = Array.from({ length: 50 }, () =>
      resolver.resolve("silent.example", calling.signal),
    );
    expect(await resolver.resolve("six.example", forever)).toHaveLength(1);
    const calledAt = performance.now();
    calling.abort(reason);
    const ended = await Promise.allSettled(waiting);
    // Well before the queries would end of themselves.
    expect(performance.now() - calledAt).toBeLessThan(800);
    expect(ended.every((each) => each.status === "rejected" && each.reason === reason)).toBe(true);
    await expect(resolver.resolve("six.example", calling.signal)).rejects.toBe(reason);
  });

  test("does without a hosts file", async () => {
    const hostsFile = join(folder, "nowhere");
    const without = new NodeResolver({ servers: [server.address], hostsFile });
    expect(await without.resolve("six.example", forever)).toHaveLength(1);
    const folderAsFile = new NodeResolver({ servers: [server.address], hostsFile: folder });
    await expect(folderAsFile.resolve("six.example", forever)).rejects.toThrow("EISDIR");
  });
});
