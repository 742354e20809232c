import { nodeLimits } from "../../shared/api/nodes.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import { invalidFields } from "../lib/errors.ts";
import {
  connections,
  isObject,
  lastDay,
  nodeName,
  numberUpTo,
  regionType,
  relayFlag,
  textUpTo,
  wholeNumber,
  type Reader,
} from "./field-readers.ts";
import { wireNames, type NewNodeSettings, type NodeSettings } from "./settings.ts";

const { bandwidthMbps, trafficGb, count } = nodeLimits;

const readers: { [Key in Exclude<keyof NodeSettings, "validUntil">]: Reader<NodeSettings[Key]> } = {
  name: nodeName,
  regionType,
  regionDetail: textUpTo(nodeLimits.regionDetailLength),
  connections,
  tierBandwidth: numberUpTo(bandwidthMbps),
  maxBandwidth: numberUpTo(bandwidthMbps),
  maxTraffic: numberUpTo(trafficGb),
  resetCycleDays: wholeNumber(1, nodeLimits.resetCycleDays),
  maxConnections: wholeNumber(0, count),
  tags: textUpTo(nodeLimits.tagsLength),
  allowRelay: relayFlag,
};

const required = ["name", "regionType", "connections"] as const;

/** @throws AppError invalid_request naming every field that is wrong */
export function parseNewNode(body: unknown): NewNodeSettings {
  const { settings, faults, given } = read(body);
  const missing = required
    .map((key) => wireNames[key])
    .filter((name) => !Object.hasOwn(given, name))
    .map((path): FieldError => ({ path, message: "is required" }));
  refuseAny([...missing, ...faults]);
  return settings as NewNodeSettings;
}

/** @throws AppError invalid_request naming every field that is wrong */
export function parseNodeChange(body: unknown): Partial<NodeSettings> {
  const { settings, faults } = read(body);
  refuseAny(faults);
  return settings;
}

interface ReadBody {
  settings: Partial<NodeSettings>;
  faults: FieldError[];
  given: Record<string, unknown>;
}

/** Fields it does not know are passed over: older clients send some. */
function read(body: unknown): ReadBody {
  if (!isObject(body))
    throw invalidFields([{ path: "", message: "The body must be a JSON object" }]);
  const faults: FieldError[] = [];
  const settings: Partial<NodeSettings> = {};
  for (const key of Object.keys(readers) as (keyof typeof readers)[]) {
    readInto(settings, key, body, faults);
  }
  if (Object.hasOwn(body, wireNames.validUntil)) {
    const day = lastDay(body[wireNames.validUntil], wireNames.validUntil, faults);
    if (day) settings.validUntil = day.date;
  }
  return { settings, faults, given: body };
}

function readInto(
  settings: Partial<NodeSettings>,
  key: keyof typeof readers,
  body: Record<string, unknown>,
  faults: FieldError[],
): void {
  const name = wireNames[key];
  if (!Object.hasOwn(body, name)) return;
  const value = readers[key](body[name], name, faults);
  if (value !== undefined) Object.assign(settings, { [key]: value });
}

function refuseAny(faults: FieldError[]): void {
  if (faults.length > 0) throw invalidFields(faults);
}
