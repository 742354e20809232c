import type { NewNode, NodeChange, NodeDetails } from "../../shared/api/nodes.ts";
import { changesOf } from "../lib/changes.ts";

/** An empty field is "". */
export type Amount = number | "";

export interface ConnectionValues {
  /** Of the row, while the form is open. */
  key: string;
  type: string;
  ip: string;
  port: Amount;
}

/** What stands in the form; named like the fields of the record. */
export interface NodeFormValues {
  node_name: string;
  region_type: "domestic" | "overseas";
  region_detail: string;
  connections: ConnectionValues[];
  max_bandwidth: Amount;
  tier_bandwidth: Amount;
  max_connections: Amount;
  max_traffic: Amount;
  reset_cycle: Amount;
  tags: string;
  /** `YYYY-MM-DD` or "" */
  valid_until: string;
  allow_relay: boolean;
}

const DEFAULT_CYCLE_DAYS = 30;
const OVERLAY_PORT = 11010;

let rows = 0;

export function newConnection(): ConnectionValues {
  return { key: `new-${++rows}`, type: "TCP", ip: "", port: OVERLAY_PORT };
}

export function emptyNode(): NodeFormValues {
  return {
    node_name: "",
    region_type: "domestic",
    region_detail: "",
    connections: [newConnection()],
    max_bandwidth: "",
    tier_bandwidth: "",
    max_connections: "",
    max_traffic: "",
    reset_cycle: DEFAULT_CYCLE_DAYS,
    tags: "",
    valid_until: "",
    allow_relay: false,
  };
}

export function toFormValues(node: NodeDetails): NodeFormValues {
  return {
    node_name: node.node_name,
    region_type: node.region_type,
    region_detail: node.region_detail,
    connections: node.connections.map((each, index) => ({ key: `stored-${index}`, ...each })),
    max_bandwidth: toAmount(node.max_bandwidth),
    tier_bandwidth: toAmount(node.tier_bandwidth),
    max_connections: toAmount(node.max_connections),
    max_traffic: toAmount(node.max_traffic),
    reset_cycle: node.reset_cycle,
    tags: node.tags,
    valid_until: node.valid_until ?? "",
    allow_relay: node.allow_relay === 1,
  };
}

/** No limit is written as nothing. */
function toAmount(value: number): Amount {
  return value === 0 ? "" : value;
}

/** For values that passed the rules. */
export function toNewNode(values: NodeFormValues): NewNode {
  const { tier_bandwidth: tier } = values;
  return {
    node_name: values.node_name,
    region_type: values.region_type,
    region_detail: values.region_detail,
    connections: values.connections.map(({ type, ip, port }) => ({
      type,
      ip: ip.trim(),
      port: Number(port),
    })),
    max_bandwidth: Number(values.max_bandwidth),
    tier_bandwidth: Number(tier === "" ? values.max_bandwidth : tier),
    max_connections: Number(values.max_connections),
    max_traffic: Number(values.max_traffic),
    reset_cycle: values.reset_cycle === "" ? DEFAULT_CYCLE_DAYS : values.reset_cycle,
    tags: values.tags,
    valid_until: values.valid_until === "" ? null : values.valid_until,
    allow_relay: values.allow_relay ? 1 : 0,
  };
}

/** What differs: the tier is left alone unless it was touched, since nodes may report their own. */
export function toNodeChange(before: NodeFormValues, after: NodeFormValues): NodeChange {
  return changesOf(toNewNode(before), toNewNode(after));
}

/** What the owner alone sets: all but the tier. */
export function ownSettingsOf(node: NodeDetails): object {
  return toNewNode({ ...toFormValues(node), tier_bandwidth: "" });
}
