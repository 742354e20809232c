import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test } from "vitest";
import { DnsTransport } from "../../../src/server/domains/dns-transport.ts";

/** To connect to it is not permitted: it fails as a network that is gone does. */
const NO_WAY = "255.255.255.255";
const ANSWER_BIT = 0x80;

const { signal } = new AbortController();
const question = Buffer.from("123401000000000000000000", "hex");

function transportTo(addresses: [string, ...string[]]): DnsTransport {
  const patience = { resolvingMs: 500, datagramMs: [500], streamMs: 500 };
  return new DnsTransport({ locate: async () => addresses }, patience);
}

test("where no way leads to one address of a name server, the next one is asked", async () => {
  const server = createSocket("udp4");
  server.on("message", (bytes, from) => {
    const answer = Buffer.from(bytes);
    answer[2] = (answer[2] ?? 0) | ANSWER_BIT;
    server.send(answer, from.port, from.address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address();
    const to = { host: "ns.example.org", port };
    const answer = await transportTo([NO_WAY, "127.0.0.1"]).ask(to, question, signal);
    expect(answer.subarray(0, 2)).toEqual(question.subarray(0, 2));
  } finally {
    server.close();
  }
});

test("a name server that no way leads to is a failure of the network, which may pass", async () => {
  const asked = transportTo([NO_WAY]).ask({ host: "ns.example.org", port: 53 }, question, signal);
  await expect(asked).rejects.toMatchObject({ kind: "network" });
});
