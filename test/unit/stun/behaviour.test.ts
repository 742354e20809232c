import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeFiltering, judgeMapping, type Sighting } from "../../../src/server/stun/behaviour.ts";

const never = () => false;
const P = { address: "203.0.113.1", port: 1000 };
const Q = { address: "203.0.113.1", port: 1001 };
const R = { address: "203.0.113.1", port: 1002 };

function seen(server: string, mapped = P): Sighting {
  const [address = "", port] = server.split(":");
  return { server: { address, port: Number(port) }, mapped };
}
const alone = (sightings: Sighting[]) => sightings.map((each) => [each]);

describe("what is seen from one server at three endpoints", () => {
  test.each([
    ["endpoint_independent", [P, P, P]],
    ["address_dependent", [P, Q, Q]],
    ["address_and_port_dependent", [P, Q, R]],
    // Two of three may be alike by chance.
    ["address_and_port_dependent", [P, P, Q]],
  ] as const)("is %s", (mapping, [first, second, third]) => {
    const group = [seen("a:1", first), seen("b:1", second), seen("b:2", third)];
    expect(judgeMapping([group], never)).toEqual({ mapping, odd: [], arePortsCompared: true });
  });

  test("says more than servers that know nothing of each other", () => {
    const group = [seen("a:1", P), seen("b:1", Q), seen("b:2", R)];
    const { mapping } = judgeMapping([group, ...alone([seen("c:1", P), seen("d:1", P)])], never);
    expect(mapping).toBe("address_and_port_dependent");
  });
});

describe("what independent servers see", () => {
  test("is nothing when nobody answered, and too little when one did", () => {
    expect(judgeMapping([], never).mapping).toBe("unknown");
    expect(judgeMapping(alone([seen("a:1")]), never).mapping).toBe("unknown");
    expect(judgeMapping(alone([seen("a:1"), seen("a:2")]), never).mapping).toBe("unknown");
  });

  test("depends on the address at least when two differ", () => {
    const judged = judgeMapping(alone([seen("a:1", P), seen("b:1", Q)]), never);
    expect(judged).toEqual({ mapping: "address_dependent", odd: [], arePortsCompared: false });
  });

  test("depends on nothing when most agree, and the rest is odd", () => {
    const odd = seen("c:1", Q);
    const judged = judgeMapping(alone([seen("a:1"), seen("b:1"), odd]), never);
    expect(judged).toEqual({ mapping: "endpoint_independent", odd: [odd], arePortsCompared: true });
  });

  test("depends on something when as many disagree as agree", () => {
    const sightings = [seen("a:1", P), seen("b:1", P), seen("c:1", Q), seen("d:1", R)];
    expect(judgeMapping(alone(sightings), never).mapping).toBe("address_dependent");
  });
});

test("there is no NAT only when everybody sees our own endpoint", () => {
  const isOwn = ({ port }: { port: number }) => port === P.port;
  const sightings = [seen("a:1", P), seen("b:1", P)];
  expect(judgeMapping(alone(sightings), isOwn).mapping).toBe("none");
  expect(judgeMapping(alone([...sightings, seen("c:1", Q)]), isOwn).mapping).not.toBe("none");
});

test("the order in which servers answer changes nothing", () => {
  const endpoint = fc.constantFrom("a:1", "a:2", "b:1", "b:2", "c:1");
  const sighting = fc
    .tuple(endpoint, fc.constantFrom(P, Q, R))
    .map(([at, mapped]) => seen(at, mapped));
  const list = fc.uniqueArray(sighting, {
    selector: ({ server }) => `${server.address}${server.port}`,
  });
  fc.assert(
    fc.property(list, (sightings) => {
      const forward = judgeMapping(alone(sightings), never).mapping;
      expect(judgeMapping(alone(sightings.toReversed()), never).mapping).toBe(forward);
    }),
  );
});

describe("what comes in", () => {
  const trial = { fromOtherAddress: false, fromOtherPort: false, isServerAble: true };

  test.each([
    ["endpoint_independent", { ...trial, fromOtherAddress: true, fromOtherPort: true }],
    ["endpoint_independent", { ...trial, fromOtherAddress: true, isServerAble: false }],
    ["address_dependent", { ...trial, fromOtherPort: true }],
    ["address_and_port_dependent", trial],
    ["unknown", { ...trial, isServerAble: false }],
    // A server whose other address is dead may still have another port.
    ["unknown", { ...trial, fromOtherPort: true, isServerAble: false }],
  ] as const)("is %s", (filtering, findings) => {
    expect(judgeFiltering(findings, "endpoint_independent")).toBe(filtering);
  });

  test("is not filtered at all without a NAT, unless a firewall does", () => {
    expect(judgeFiltering({ ...trial, fromOtherAddress: true }, "none")).toBe("none");
    expect(judgeFiltering(trial, "none")).toBe("address_and_port_dependent");
  });
});
