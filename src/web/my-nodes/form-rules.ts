import { nodeLimits } from "../../shared/api/nodes.ts";
import { looksLikeHost } from "./endpoint-text.ts";
import type { Amount, NodeFormValues } from "./form-values.ts";

/** What can be wrong with a field; the numbers go into the words. */
export type Flaw =
  | { flaw: "required" | "controlCharacters" | "host" | "date" }
  | { flaw: "tooLong" | "tooLarge"; maximum: number }
  | { flaw: "wholeBetween"; minimum: number; maximum: number };

/** Every field that is wrong, by its path. */
export function judgeNode(values: NodeFormValues): Record<string, Flaw> {
  const { connections } = values;
  const { bandwidthMbps, trafficGb, count, resetCycleDays } = nodeLimits;
  const flaws: [string, Flaw | undefined][] = [
    ["node_name", judgeName(values.node_name)],
    ["region_detail", upTo(values.region_detail, nodeLimits.regionDetailLength)],
    ...connections.flatMap(({ ip, port }, index): [string, Flaw | undefined][] => [
      [`connections.${index}.ip`, judgeHost(ip.trim())],
      [`connections.${index}.port`, judgePort(port)],
    ]),
    ["max_bandwidth", atMost(values.max_bandwidth, bandwidthMbps)],
    ["tier_bandwidth", atMost(values.tier_bandwidth, bandwidthMbps)],
    ["max_connections", whole(values.max_connections, 0, count)],
    ["max_traffic", atMost(values.max_traffic, trafficGb)],
    ["reset_cycle", whole(values.reset_cycle, 1, resetCycleDays)],
    ["tags", upTo(values.tags, nodeLimits.tagsLength)],
    ["valid_until", judgeDay(values.valid_until)],
  ];
  return Object.fromEntries(flaws.filter((each): each is [string, Flaw] => each[1] !== undefined));
}

function judgeName(text: string): Flaw | undefined {
  const name = text.trim();
  if (name === "") return { flaw: "required" };
  return (
    upTo(name, nodeLimits.nameLength) ??
    (/\p{Cc}/u.test(name) ? { flaw: "controlCharacters" } : undefined)
  );
}

/** Characters are code points. */
function upTo(text: string, maximum: number): Flaw | undefined {
  return [...text].length > maximum ? { flaw: "tooLong", maximum } : undefined;
}

function judgeHost(text: string): Flaw | undefined {
  if (text === "") return { flaw: "required" };
  return looksLikeHost(text) ? undefined : { flaw: "host" };
}

function judgePort(port: Amount): Flaw | undefined {
  return port === "" ? { flaw: "required" } : whole(port, 1, 65_535);
}

function atMost(value: Amount, maximum: number): Flaw | undefined {
  return value !== "" && !(value >= 0 && value <= maximum)
    ? { flaw: "tooLarge", maximum }
    : undefined;
}

function whole(value: Amount, minimum: number, maximum: number): Flaw | undefined {
  const fits = value === "" || (Number.isInteger(value) && value >= minimum && value <= maximum);
  return fits ? undefined : { flaw: "wholeBetween", minimum, maximum };
}

function judgeDay(day: string): Flaw | undefined {
  return day === "" || (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)))
    ? undefined
    : { flaw: "date" };
}
