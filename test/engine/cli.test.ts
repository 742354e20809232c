import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waypost } from "../support/command-line.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { startTestService } from "../support/service.ts";
import { StunServer } from "../support/stun-server.ts";

describe("waypost", () => {
  test("lists its commands, and is in the list what each says of itself", async () => {
    const { code, out, err } = await waypost(["--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Usage: waypost <command>\n/);
    for (const name of ["serve", "check", "stun", "rotate-key"]) {
      expect(out).toContain(`\n  ${name} `);
      const help = await waypost([name, "--help"]);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: waypost ${name}`);
    }
  });

  test.each([
    [[], ""],
    [["sing"], "There is no command sing"],
    [["serve", "now"], "serve takes nothing but settings"],
    [["stun", "--transport", "sctp"], "--transport must be udp or tcp"],
    [["stun", "--server", "a.example"], "--server must be host:port, and a.example is not"],
    [["stun", "--local-address", "eth0"], "--local-address must be an IP address"],
    [
      ["stun", "--local-address", "192.0.2.1", "--server", "127.0.0.1:9"],
      "is no address of this host",
    ],
    [["stun", "--fast"], "Unknown option '--fast'"],
    [["stun", "more"], "Unexpected argument 'more'"],
    [["check", "tcp://127.0.0.1:1"], "check takes a server"],
    [["check", "127.0.0.1", "net", "secret"], "The server"],
    [["openapi", "now"], "openapi takes nothing"],
    [["admin"], "admin takes one of list, create"],
    [["admin", "sing", "a@example.com"], "admin takes one of list, create"],
    [["admin", "create"], "admin create takes one e-mail address"],
    [["admin", "list", "a@example.com"], "admin list takes no e-mail address"],
    [["admin", "disable", "nobody"], "nobody is no e-mail address"],
    [["admin", "enable", "--user", "a@example.com"], "--user belongs to admin create"],
    [["admin", "create", "a@example.com"], "Give the password on the first line of the input"],
    [["admin", "create", "a@example.com", "a password"], "takes one e-mail address"],
    [["backup"], "backup takes one file"],
    [["backup", "a", "b"], "backup takes one file"],
    [["restore", "--quick", "a"], "Unknown option '--quick'"],
    [["restore"], "restore takes one file"],
  ])("called in a wrong way it ends with 2: %j", async (parameters, sentence) => {
    const { code, err } = await waypost(parameters);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  test("reads its settings, and names the one that is wrong", async () => {
    const env = { WAYPOST_STUN_SERVERS: "nowhere" };
    const { code, err } = await waypost(["stun"], { env });
    expect([code, err]).toEqual([2, expect.stringContaining("WAYPOST_STUN_SERVERS must be")]);
  });
});

describe("waypost stun", () => {
  let servers: StunServer[];
  beforeAll(async () => {
    servers = await Promise.all([StunServer.start(), StunServer.start()]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  const named = () => servers.map(({ endpoint }) => `127.0.0.1:${endpoint.port}`);
  const options = () => named().flatMap((server) => ["--server", server]);

  test.each(["udp", "tcp"])(
    "finds that there is no NAT on the way to this machine: %s",
    async (transport) => {
      const { code, out, err } = await waypost([
        "stun",
        "--json",
        "--transport",
        transport,
        ...options(),
      ]);
      expect([code, err]).toEqual([0, ""]);
      expect(JSON.parse(out)).toMatchObject({
        transport,
        mapping: "none",
        filtering: "unknown",
        hairpin: null,
        public_ip: "127.0.0.1",
        servers: named().map((server) => ({ server, public_ip: "127.0.0.1", error: null })),
      });
    },
  );

  test("says the same to people, with what it means", async () => {
    const env = { WAYPOST_STUN_SERVERS: named().join(",") };
    const { code, out } = await waypost(["stun"], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^Public address +127\.0\.0\.1$/m);
    expect(out).toMatch(/^Mapping +no NAT$/m);
    expect(out).toMatch(new RegExp(`^  ${named()[0]} +127\\.0\\.0\\.1:\\d+, [\\d.]+ ms$`, "m"));
    expect(out).toContain(
      "  - This machine has the public address itself: there is no NAT in between.",
    );
  });

  test("ends with 1 when nobody answered", async () => {
    const { code, out } = await waypost(["stun", "--server", "127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(out).toContain("No server answered, neither over UDP nor over TCP.");
  });
});

describe("waypost check", () => {
  test("says whether a node is up, with a secret that nobody sees", async () => {
    const peer = await OverlayPeer.listen({ network: { name: "net", secret: "secret" } });
    const { address } = peer;
    const up = await waypost(["check", "--json", address, "net", "-"], { input: "secret\n" });
    expect(up.code).toBe(0);
    expect(JSON.parse(up.out)).toMatchObject({ is_online: true, handshake: "ok" });
    const other = await waypost(["check", address, "net", "wrong"]);
    expect(other.out).toContain("it knows the network by another secret");
    await peer.close();
    const down = await waypost(["check", "--json", address, "net", "secret"]);
    expect(down.code).toBe(1);
    expect(JSON.parse(down.out)).toEqual({ is_online: false, error: "Connection refused" });
  });
});

test("waypost openapi prints the document that a service answers", async () => {
  const service = await startTestService();
  const { code, out, err } = await waypost(["openapi"]);
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toEqual((await service.request("GET", "/docs/openapi.json")).body);
  await service.stop();
});
