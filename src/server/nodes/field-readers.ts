import {
  nodeLimits,
  regionTypes,
  transports,
  type Connection,
  type RegionType,
} from "../../shared/api/nodes.ts";
import { toHost } from "../lib/address.ts";
import type { FieldError } from "../../shared/field-errors.ts";

/** Takes in one field; what is wrong is noted, and then the result is undefined. */
export type Reader<T> = (value: unknown, path: string, faults: FieldError[]) => T | undefined;

function refuse(faults: FieldError[], path: string, message: string): undefined {
  faults.push({ path, message });
  return undefined;
}

export function numberUpTo(maximum: number): Reader<number> {
  return (value, path, faults) => {
    const expected = `must be a number from 0 to ${maximum}`;
    if (typeof value === "string") return refuse(faults, path, `${expected}, not text`);
    if (typeof value !== "number" || !(value >= 0 && value <= maximum)) {
      return refuse(faults, path, expected);
    }
    // Minus zero is no number people know.
    return value + 0;
  };
}

export function wholeNumber(minimum: number, maximum: number): Reader<number> {
  return (value, path, faults) => {
    const expected = `must be a whole number from ${minimum} to ${maximum}`;
    if (typeof value === "string") return refuse(faults, path, `${expected}, not text`);
    const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    return fits ? Number(value) + 0 : refuse(faults, path, expected);
  };
}

/** Text that both databases and every JSON reader can hold. */
export function textUpTo(maximum: number): Reader<string> {
  return (value, path, faults) => {
    if (typeof value !== "string") return refuse(faults, path, "must be text");
    if (value.includes("\0")) return refuse(faults, path, "must not contain the character NUL");
    if (!value.isWellFormed()) return refuse(faults, path, "must be well-formed Unicode");
    if (isLonger(value, maximum)) {
      return refuse(faults, path, `must have at most ${maximum} characters`);
    }
    return value;
  };
}

const CONTROL = /\p{Cc}/u;

export const nodeName: Reader<string> = (value, path, faults) => {
  if (typeof value !== "string") return refuse(faults, path, "must be text");
  const name = value.trim();
  if (CONTROL.test(name)) return refuse(faults, path, "must not contain control characters");
  if (!name.isWellFormed()) return refuse(faults, path, "must be well-formed Unicode");
  if (name === "" || isLonger(name, nodeLimits.nameLength)) {
    return refuse(faults, path, `must have 1 to ${nodeLimits.nameLength} characters`);
  }
  return name;
};

/** Characters are code points. */
function isLonger(text: string, maximum: number): boolean {
  if (text.length <= maximum) return false;
  return text.length > maximum * 2 || Array.from(text).length > maximum;
}

export const regionType: Reader<RegionType> = (value, path, faults) =>
  regionTypes.find((each) => each === value) ??
  refuse(faults, path, `must be ${regionTypes.join(" or ")}`);

export const relayFlag: Reader<boolean> = (value, path, faults) => {
  if (value === 0 || value === false) return false;
  if (value === 1 || value === true) return true;
  return refuse(faults, path, "must be 0 or 1");
};

/** A day of the calendar, `YYYY-MM-DD`, or null for ever. */
export const lastDay: Reader<{ date: string | null }> = (value, path, faults) => {
  if (value === null) return { date: null };
  const isDay =
    typeof value === "string" &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    new Date(`${value}T00:00:00.000Z`).getTime() > Number.NEGATIVE_INFINITY &&
    new Date(`${value}T00:00:00.000Z`).toISOString().startsWith(value);
  if (isDay) return { date: value };
  return refuse(faults, path, "must be a date of the calendar, YYYY-MM-DD, or null for ever");
};

const port = wholeNumber(1, 65_535);

export const connections: Reader<Connection[]> = (value, path, faults) => {
  const { connections: maximum } = nodeLimits;
  if (!Array.isArray(value) || value.length === 0 || value.length > maximum) {
    return refuse(faults, path, `must be a list of 1 to ${maximum} connections`);
  }
  const read = value.map((each, index) => connection(each, `${path}.${index}`, faults));
  return read.includes(undefined) ? undefined : (read as Connection[]);
};

const connection: Reader<Connection> = (value, path, faults) => {
  if (!isObject(value)) {
    return refuse(faults, path, "must be an object of type, ip and port");
  }
  const read = {
    type: field(value, "type", path, transport, faults),
    ip: field(value, "ip", path, host, faults),
    port: field(value, "port", path, port, faults),
  };
  return Object.values(read).includes(undefined) ? undefined : (read as Connection);
};

const transport: Reader<string> = (value, path, faults) => {
  const word = typeof value === "string" ? value.toUpperCase() : "";
  return (
    transports.find((each) => each === word) ??
    refuse(faults, path, `must be one of ${transports.join(", ")}`)
  );
};

const host: Reader<string> = (value, path, faults) =>
  (typeof value === "string" ? toHost(value) : undefined) ??
  refuse(faults, path, "must be an IPv4 address, an IPv6 address without brackets, or a DNS name");

function field<T>(
  from: Record<string, unknown>,
  name: string,
  path: string,
  read: Reader<T>,
  faults: FieldError[],
): T | undefined {
  const at = `${path}.${name}`;
  if (!Object.hasOwn(from, name)) return refuse(faults, at, "is required");
  return read(from[name], at, faults);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
