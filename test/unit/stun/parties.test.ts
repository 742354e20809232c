import { expect, test } from "vitest";
import { partiesOf } from "../../../src/server/stun/parties.ts";

/** Each as `host → address:port`, with what else the host's name leads to. */
function groupsOf(...servers: [host: string, name: string, others?: string[]][]): string[][] {
  const parties = partiesOf(
    servers.map(([host, name, others = []]) => {
      const address = name.slice(0, name.lastIndexOf(":"));
      return { name, address, host, addresses: [address, ...others] };
    }),
  );
  const groups = Map.groupBy(servers, ([, name]) => parties.get(name));
  return [...groups.values()].map((group) => group.map(([, name]) => name));
}

test("ports of one address speak with one voice", () => {
  expect(groupsOf(["1", "1:10"], ["2", "2:10"], ["1", "1:20"])).toEqual([
    ["1:10", "1:20"],
    ["2:10"],
  ]);
});

test("names that lead to one address speak with one voice", () => {
  expect(groupsOf(["a", "1:10"], ["b", "1:20"], ["c", "3:10"])).toEqual([
    ["1:10", "1:20"],
    ["3:10"],
  ]);
});

test("addresses of one name speak with one voice, however they are named", () => {
  expect(groupsOf(["a", "1:10", ["2"]], ["a", "2:20", ["1"]], ["b", "3:10"])).toHaveLength(2);
  expect(groupsOf(["a", "1:10", ["2"]], ["2", "2:10"], ["b", "3:10"])).toHaveLength(2);
  expect(groupsOf(["2", "2:10"], ["3", "3:10"], ["a", "1:10", ["2", "3"]], ["4", "4:1"])).toEqual([
    ["2:10", "3:10", "1:10"],
    ["4:1"],
  ]);
});

test("where there is one name only, each of its addresses speaks for itself", () => {
  expect(groupsOf(["a", "1:10", ["2"]], ["a", "2:20", ["1"]], ["a", "1:30", ["2"]])).toEqual([
    ["1:10", "1:30"],
    ["2:20"],
  ]);
});

test("nothing is joined that has nothing in common", () => {
  expect(groupsOf(["a", "1:10"], ["b", "2:10"], ["c", "3:10"])).toHaveLength(3);
  expect(groupsOf()).toEqual([]);
});
