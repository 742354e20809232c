import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sockets } from "../../src/probe/sockets.ts";
import { NodeSockets } from "../../src/probe/node/sockets.ts";
import { check, namesAre, nodeOf } from "../support/checks.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { startTestService, type TestService } from "../support/service.ts";

let peer: OverlayPeer;
beforeAll(async () => {
  peer = await OverlayPeer.listen();
});
afterAll(() => peer.close());

/** Notes what is dialled, and dials no further than this machine. */
class Dialled implements Sockets {
  readonly addresses: string[] = [];
  readonly #sockets = new NodeSockets();

  connect(address: string, port: number, signal: AbortSignal) {
    this.addresses.push(address);
    if (!address.startsWith("127.")) throw new Error(`${address} is not on this machine`);
    return this.#sockets.connect(address, port, signal);
  }
}

async function withService(
  env: Record<string, string>,
  work: (service: TestService, dialled: string[]) => Promise<void>,
  names: Record<string, string[]> = {},
): Promise<void> {
  const sockets = new Dialled();
  const service = await startTestService({
    env,
    checks: { sockets, resolver: namesAre(names) },
  });
  try {
    await work(service, sockets.addresses);
  } finally {
    await service.stop();
  }
}

const refusal = {
  is_online: false,
  connection_count: 0,
  latency_ms: -1,
  error: "Loopback addresses are not checked",
};

describe("the policy auto lets a program on the same machine check any address, but not", () => {
  test.each<[string, Record<string, string>]>([
    ["when the service listens on all addresses", { HOST: "0.0.0.0" }],
    ["when it listens on all addresses of IPv6", { HOST: "::" }],
    ["when it has a public address", { PUBLIC_URL: "http://127.0.0.1:8080" }],
    ["when it has a proxy in front", { TRUST_PROXY: "true" }],
    ["when it has a list of proxies in front", { TRUST_PROXY: "10.0.0.1" }],
    ["when the policy is public", { CHECK_POLICY: "public" }],
  ])("%s", async (_, env) => {
    await withService(env, async (service, dialled) => {
      const { status, body } = await check(service, nodeOf(peer.address));
      expect(status).toBe(200);
      expect(body).toMatchObject(refusal);
      expect(dialled).toEqual([]);
    });
  });

  const foreign: Record<string, string>[] = [
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-proto": "https" },
    { "X-Forwarded-Host": "" },
    { forwarded: "for=127.0.0.1" },
    { via: "1.1 proxy" },
    { "x-real-ip": "127.0.0.1" },
    { "cf-connecting-ip": "127.0.0.1" },
    { "CF-Ray": "1" },
    { "true-client-ip": "127.0.0.1" },
    { "x-client-ip": "127.0.0.1" },
    { "x-original-forwarded-for": "127.0.0.1" },
    { "fastly-client-ip": "127.0.0.1" },
    { "tailscale-user-login": "a" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { host: "waypost.example.org" },
    { host: "127.0.0.1.example.org:8080" },
    { host: "192.168.1.7:8080" },
  ];
  test("for requests that show another machine or another page behind them", async () => {
    await withService({}, async (service, dialled) => {
      for (const headers of foreign) {
        const { body } = await check(service, nodeOf(peer.address), { headers });
        expect([headers, body.error]).toEqual([headers, refusal.error]);
      }
      expect(dialled).toEqual([]);
      for (const host of ["127.0.0.1", "localhost:8080", "[::1]:80", "127.9.9.9:1"]) {
        const { body } = await check(service, nodeOf(peer.address), { headers: { host } });
        expect([host, body.is_online]).toEqual([host, true]);
      }
      const own = { "sec-fetch-site": "same-origin" };
      const { body } = await check(service, nodeOf(peer.address), { headers: own });
      expect(body.is_online).toBe(true);
    });
  });

  test.each([{ HOST: "127.0.0.1" }, { HOST: "localhost" }, { HOST: "127.0.0.2" }])(
    "as long as it listens on loopback: %j",
    async (env) => {
      await withService(env, async (service) => {
        expect((await check(service, nodeOf(peer.address))).body.is_online).toBe(true);
      });
    },
  );
});

test("the policy any holds whoever asks", async () => {
  const env = { CHECK_POLICY: "any", PUBLIC_URL: "https://waypost.example.org" };
  await withService(env, async (service) => {
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const { body } = await check(service, nodeOf(peer.address), { headers });
    expect(body.is_online).toBe(true);
  });
});

test("single ranges are opened by CHECK_ALLOW", async () => {
  const env = { CHECK_POLICY: "public", CHECK_ALLOW: "127.0.0.1, 2001:db8::/32" };
  await withService(env, async (service, dialled) => {
    const at = (host: string) => check(service, nodeOf(`tcp://${host}:${peer.port}`));
    expect((await at("127.0.0.1")).body.is_online).toBe(true);
    expect((await at("127.0.0.2")).body).toMatchObject(refusal);
    expect(dialled).toEqual(["127.0.0.1"]);
  });
});

/** The whole matrix is tested with the policy; this shows that the endpoint goes through it. */
test.each([
  ["2130706433", "Loopback"],
  ["0x7f.1", "Loopback"],
  ["0177.0.0.1", "Loopback"],
  ["127.1", "Loopback"],
  ["[::ffff:127.0.0.1]", "Loopback"],
  ["[::1]", "Loopback"],
  ["localhost.", "Loopback"],
  ["inside.example.org", "Private"],
  ["both.example.org", "Link-local"],
])("an address in disguise is refused as what it is: %s", async (host, kind) => {
  const names = {
    localhost: ["127.0.0.1"],
    "inside.example.org": ["10.1.2.3"],
    "both.example.org": ["203.0.113.7", "169.254.169.254"],
  };
  const before = peer.connectionCount;
  await withService(
    { CHECK_POLICY: "public", CHECK_ALLOW: "203.0.113.0/24" },
    async (service, dialled) => {
      const { status, body } = await check(service, nodeOf(`tcp://${host}:${peer.port}`));
      expect(status).toBe(200);
      expect(body).toMatchObject({ ...refusal, error: `${kind} addresses are not checked` });
      expect(dialled).toEqual([]);
    },
    names,
  );
  expect(peer.connectionCount).toBe(before);
});
