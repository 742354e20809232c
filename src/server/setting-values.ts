import { isIP } from "node:net";
import { parseRanges, type Range } from "../probe/target-policy.ts";
import { parseHostPort, type HostPort } from "./lib/host-port.ts";
import { logLevels, type LogLevel } from "./lib/logger.ts";
import { ConfigError, PREFIX } from "./settings.ts";

export function toPort(name: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65535)) throw new ConfigError(`${PREFIX}${name} must be a port from 0 to 65535`);
  return port;
}

export function toJwtSecret(value: string): string | undefined {
  if (value === "") return undefined;
  if (value.length < 32) {
    throw new ConfigError(`${PREFIX}JWT_SECRET must have at least 32 characters`);
  }
  return value;
}

/** Keys of at least 32 characters, separated by white space; the first one is the current one. */
export function toSecretKeys(place: string, value: string): [string, ...string[]] {
  const [first, ...rest] = value.trim().split(/\s+/);
  if (first !== undefined && [first, ...rest].every((key) => key.length >= 32)) {
    return [first, ...rest];
  }
  throw new ConfigError(`${place} must hold keys of at least 32 characters`);
}

export function toUrl(name: string, value: string, protocols: string[]): string | undefined {
  if (value === "") return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      `${PREFIX}${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(" or ")}`,
    );
  }
  return value;
}

export function toOrigin(name: string, value: string): string | undefined {
  return toUrl(name, value, ["http:", "https:"])?.replace(/\/+$/, "");
}

/** Address of a service: nothing but scheme, host and port. */
export function toBareOrigin(name: string, value: string): string | undefined {
  const url = toUrl(name, value, ["http:", "https:"]);
  if (url === undefined) return undefined;
  const { origin, href } = new URL(url);
  if (href === `${origin}/`) return origin;
  throw new ConfigError(
    `${PREFIX}${name} must be a scheme, a host and perhaps a port, with nothing behind them`,
  );
}

/** A secret that travels in a header. */
export function toHeaderKey(name: string, value: string): string | undefined {
  if (value === "") return undefined;
  if (/^[\x21-\x7e]{1,256}$/.test(value)) return value;
  throw new ConfigError(
    `${PREFIX}${name} must be 1–256 characters of ASCII without spaces and control characters`,
  );
}

/** Addresses and CIDR ranges, separated by commas. */
export function toRanges(name: string, value: string): Range[] {
  const ranges = parseRanges(value);
  if (ranges) return ranges;
  throw new ConfigError(
    `${PREFIX}${name} must be a comma-separated list of addresses and CIDR ranges`,
  );
}

/** `host:port`, separated by commas. */
export function toHostPorts(name: string, value: string): HostPort[] {
  if (value === "") return [];
  return value.split(",").map((each) => {
    const parsed = parseHostPort(each.trim());
    if (parsed) return parsed;
    throw new ConfigError(`${PREFIX}${name} must be a comma-separated list of host:port`);
  });
}

/** Seconds between background checks to milliseconds; 0 = none. */
export function toCheckInterval(name: string, value: string): number {
  const seconds = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (seconds === 0 || (seconds >= 60 && seconds <= 86_400)) return seconds * 1000;
  throw new ConfigError(`${PREFIX}${name} must be 0 or a number of seconds from 60 to 86400`);
}

export function toCount(name: string, value: string, least: number, most: number): number {
  const count = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new ConfigError(`${PREFIX}${name} must be a whole number from ${least} to ${most}`);
}

const ADDRESS = /^[^\s<>@,;]+@[^\s<>@,;]+$/;

export function toMailAddress(name: string, value: string): string | undefined {
  if (value === "") return undefined;
  if (ADDRESS.test(value)) return value;
  throw new ConfigError(`${PREFIX}${name} must be one e-mail address`);
}

export function toTrustProxy(value: string): boolean | string[] {
  if (value === "true" || value === "false") return value === "true";
  const ranges = value.split(",").map((each) => each.trim());
  if (ranges.every(isRange)) return ranges;
  throw new ConfigError(
    `${PREFIX}TRUST_PROXY must be true, false, or a list of addresses and CIDR ranges`,
  );
}

/** An address, or one with the length of a prefix behind it. */
function isRange(value: string): boolean {
  const [address = "", length, ...more] = value.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bitsOf(family));
}

function bitsOf(family: number): number {
  return family === 4 ? 32 : 128;
}

/** An address, or a name with an address in angle brackets. */
export function toSender(value: string): string {
  const address = /<([^<>]*)>$/.exec(value)?.[1] ?? value;
  if (/^[^\s<>@]+@[^\s<>@]+$/.test(address) && !/[\u0000-\u001f\u007f]/.test(value)) return value;
  throw new ConfigError(`${PREFIX}MAIL_FROM must be an address, or a name and an <address>`);
}

export function toChoice<T>(name: string, value: string, choices: Record<string, T>): T {
  const choice = Object.hasOwn(choices, value) ? choices[value] : undefined;
  if (choice === undefined) {
    throw new ConfigError(`${PREFIX}${name} must be ${Object.keys(choices).join(" or ")}`);
  }
  return choice;
}

export function toLogLevel(value: string): LogLevel {
  const level = logLevels.find((each) => each === value);
  if (!level) throw new ConfigError(`${PREFIX}LOG_LEVEL must be one of ${logLevels.join(", ")}`);
  return level;
}

export function toInstance(value: string): string {
  if (!/^[a-z0-9_-]{1,32}$/.test(value)) {
    throw new ConfigError(`${PREFIX}INSTANCE must be 1–32 of a–z, 0–9, "-" and "_"`);
  }
  return value;
}
