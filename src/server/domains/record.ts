import { isIPv4 } from "node:net";
import type { DomainRecord, RecordType } from "../../shared/api/domains.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import { toIp4p } from "../lib/ip4p.ts";
import { toRecordName } from "./dns-name.ts";
import { ipv6Data, toTarget, type RecordData, type ServiceBinding } from "./record-data.ts";
import { alpnParameter, portParameter, withParameters } from "./service-parameters.ts";

/** The public side of a hole. */
export interface PublicAddress {
  publicIp: string;
  publicPort: number;
}

/** Fills a TXT template in. */
export type Render = (template: string, address: PublicAddress) => string;

export const DEFAULT_TEMPLATE = "{{public_ip}}:{{public_port}}";

/** What a record should say, or why it has nothing to say about this address. */
export type Wanted = { data: Exclude<RecordData, { type: "unknown" }> } | { skip: string };

/**
 * What a record should say about an address. What its settings leave open is taken from `held`, the
 * value that it replaces: priorities, weights, and parameters of a service that are not ours.
 */
export function wantedData(
  record: DomainRecord,
  address: PublicAddress,
  render: Render,
  held: RecordData | undefined,
): Wanted {
  const { publicIp, publicPort } = address;
  switch (record.type) {
    case "A":
      return isIPv4(publicIp)
        ? { data: { type: "A", address: publicIp } }
        : { skip: "An A record holds no IPv6 address" };
    case "AAAA":
      return wantedIpv6(record, address);
    case "SRV": {
      const kept = held?.type === "SRV" ? held : undefined;
      const priority = record.priority ?? kept?.priority ?? 0;
      const weight = record.weight ?? kept?.weight ?? 0;
      const target = toTarget(record.target ?? "") ?? "";
      return { data: { type: "SRV", priority, weight, port: publicPort, target } };
    }
    case "HTTPS":
    case "SVCB":
      return { data: wantedService(record, record.type, publicPort, held) };
    default:
      return { data: { type: "TXT", text: render(record.template ?? DEFAULT_TEMPLATE, address) } };
  }
}

function wantedIpv6(record: DomainRecord, { publicIp, publicPort }: PublicAddress): Wanted {
  const isPlain = record.ip4p !== true;
  const data = ipv6Data(isPlain ? publicIp : (toIp4p(publicIp, publicPort) ?? ""));
  if (data?.type === "AAAA") return { data };
  const why = isPlain ? "An AAAA record holds no IPv4 address" : "IP4P holds no IPv6 address";
  return { skip: why };
}

function wantedService(
  record: DomainRecord,
  type: ServiceBinding["type"],
  port: number,
  held: RecordData | undefined,
): ServiceBinding {
  const kept = held?.type === type ? held : undefined;
  const given = record.target === undefined ? undefined : toTarget(record.target);
  const changes = [portParameter(port)];
  if (record.alpn !== undefined) changes.push(alpnParameter([record.alpn].flat()));
  return {
    type,
    priority: record.priority ?? kept?.priority ?? 1,
    target: given ?? kept?.target ?? "",
    parameters: withParameters(kept?.parameters ?? [], changes),
  };
}

type Setting = Exclude<keyof DomainRecord, "name" | "type" | "ttl">;

const settingsOf: Readonly<Record<RecordType, readonly Setting[]>> = {
  A: [],
  AAAA: ["ip4p"],
  SRV: ["priority", "weight", "target"],
  HTTPS: ["priority", "target", "alpn"],
  SVCB: ["priority", "target", "alpn"],
  TXT: ["template"],
};
const settings: readonly Setting[] = ["ip4p", "priority", "weight", "target", "alpn", "template"];

/** What is wrong with records of the right shape; paths are like `records.0.name`. */
export function recordObjections(records: readonly DomainRecord[]): FieldError[] {
  const found: FieldError[] = [];
  const places = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    const object = (field: string, message: string) =>
      found.push({ path: `records.${index}.${field}`, message });
    const name = toRecordName(record.name);
    if (name === undefined) object("name", "must be a DNS name such as home.example.com");
    const first = places.get(`${name} ${record.type}`);
    if (first !== undefined) object("name", `has the name and type of records.${first}`);
    places.set(`${name} ${record.type}`, first ?? index);
    for (const setting of settings) {
      if (record[setting] === undefined || settingsOf[record.type].includes(setting)) continue;
      object(setting, `has no meaning in a record of type ${record.type}`);
    }
    objectToService(record, object);
  }
  return found;
}

function objectToService(
  { type, target, priority }: DomainRecord,
  object: (field: string, message: string) => void,
): void {
  const isService = type === "HTTPS" || type === "SVCB";
  if (type === "SRV" && target === undefined) object("target", "is required");
  if ((isService || type === "SRV") && target !== undefined && toTarget(target) === undefined) {
    object("target", "must be a DNS name");
  }
  if (isService && priority === 0) object("priority", "must be at least 1: 0 carries no port");
}
