import { expect, test } from "vitest";
import { bytesBetween } from "../../../src/agent/counters.ts";
import { OverlaySource } from "../../../src/agent/overlay-source.ts";

interface Metric {
  name: string;
  value: unknown;
  labels: Record<string, string>;
}

function metric(name: string, value: unknown, network = "mine"): Metric {
  return { name, value, labels: { network_name: network } };
}

/** Answers as the program does, from a table by words. */
function cliOf(answers: Record<string, () => unknown>) {
  return { ask: async (...words: string[]) => answers[words.join(" ")]?.() };
}

const logical = [
  metric("traffic_bytes_rx", 100),
  metric("traffic_bytes_tx", "10"),
  metric("traffic_bytes_rx_by_instance", 100),
  metric("traffic_control_bytes_rx", 7),
  metric("traffic_control_bytes_tx", 3),
  metric("traffic_bytes_forwarded", 1_000, "theirs"),
  metric("traffic_control_bytes_forwarded", 50, "theirs"),
  metric("traffic_bytes_self_rx", 99_999),
  metric("traffic_bytes_foreign_forward_rx", 99_999),
  metric("traffic_packets_rx", 99_999),
  metric("peer_rpc_client_tx", 99_999),
];

test("what is passed on counts in both directions, and nothing counts twice", async () => {
  const cli = cliOf({
    "node info": () => ({ peer_id: 1, version: "2.5.0-abc", config: "secret" }),
    "stats show": () => logical,
  });
  const source = new OverlaySource(cli);
  const counters = await source.readCounters();
  expect(bytesBetween(new Map(), counters, 64)).toEqual({ in: 1_157n, out: 1_063n });
  expect(source.version).toBe("2.5.0-abc");
  expect(JSON.stringify([...counters.keys()])).not.toContain("secret");
});

test("an overlay that counts at its connections has counted what it passed on there", async () => {
  const metrics = [
    metric("traffic_bytes_rx", 500),
    metric("traffic_bytes_tx", 400),
    metric("traffic_bytes_forwarded", 300),
  ];
  const source = new OverlaySource(
    cliOf({ "node info": () => ({ peer_id: 1 }), "stats show": () => metrics }),
  );
  const counters = await source.readCounters();
  expect(bytesBetween(new Map(), counters, 64)).toEqual({ in: 500n, out: 400n });
});

test("a restart of the overlay is seen by its peer id, whatever its counters show", async () => {
  let peer = 1;
  let value = 500;
  const source = new OverlaySource(
    cliOf({
      "node info": () => ({ peer_id: peer }),
      "stats show": () => [metric("traffic_bytes_rx", value)],
    }),
  );
  const before = await source.readCounters();
  [peer, value] = [2, 600];
  expect(bytesBetween(before, await source.readCounters(), 64)).toEqual({ in: 600n, out: 0n });
});

test("numbers that may belong to either side of a restart are read again", async () => {
  const peers = [1, 2, 2];
  const values = [900, 5];
  const source = new OverlaySource(
    cliOf({
      "node info": () => ({ peer_id: peers.shift() }),
      "stats show": () => [metric("traffic_bytes_rx", values.shift())],
    }),
  );
  const [[name, counter] = []] = await source.readCounters();
  expect(name).toContain('"2"');
  expect(counter).toMatchObject({ life: "2", in: 5n });
});

/** As the program prints what belongs to several networks. */
function wrap(results: unknown[]) {
  return results.map((result, index) => ({
    instance_id: `id-${index}`,
    instance_name: "x",
    result,
  }));
}

test("several networks of one program are told apart", async () => {
  const source = new OverlaySource(
    cliOf({
      "node info": () => wrap([{ peer_id: 1 }, { peer_id: 2 }]),
      "stats show": () => wrap([[metric("traffic_bytes_rx", 5)], [metric("traffic_bytes_rx", 6)]]),
      "-v peer": () => wrap([[], [{ route: {}, peer: { conns: [{ is_closed: false }] } }]]),
      "peer list-foreign": () =>
        wrap([{ foreign_networks: { a: { peers: [{}, {}] } } }, { foreign_networks: {} }]),
    }),
  );
  const counters = await source.readCounters();
  expect([...counters.values()].map((each) => each.in)).toEqual([5n, 6n]);
  expect(await source.countConnections()).toBe(3);
});

test("connections are peers that are connected, here and in networks that are helped", async () => {
  const source = new OverlaySource(
    cliOf({
      "-v peer": () => [
        { route: { peer_id: 1 }, peer: { conns: [{ is_closed: true }, { is_closed: false }] } },
        { route: { peer_id: 2 }, peer: null },
        { route: { peer_id: 3 }, peer: { conns: [{ is_closed: true }] } },
      ],
      "peer list-foreign": () => ({
        foreign_networks: { a: { peers: [{}, {}] }, b: { peers: [{}] } },
      }),
    }),
  );
  expect(await source.countConnections()).toBe(4);
});

test.each([
  ["no list", {}],
  ["a value that is none", [metric("traffic_bytes_rx", "17.05 kB")]],
  ["a value below zero", [metric("traffic_bytes_rx", -1)]],
])("an answer with %s is trouble with the source, never zero bytes", async (_what, answer) => {
  const source = new OverlaySource(
    cliOf({ "node info": () => ({ peer_id: 1 }), "stats show": () => answer }),
  );
  await expect(source.readCounters()).rejects.toThrow("The overlay's statistics");
});
