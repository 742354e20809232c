import type { Bytes } from "./counters.ts";

const ESTABLISHED = "01";
const RX_BYTES = 0;
const TX_BYTES = 8;

/** The bytes of one interface in `/proc/net/dev`; undefined when it is not there. */
export function interfaceBytes(text: string, name: string): Bytes | undefined {
  for (const line of text.split("\n")) {
    const [, found, rest = ""] = /^\s*(\S+):\s*(\d.*)$/.exec(line) ?? [];
    if (found !== name) continue;
    const numbers = rest.trim().split(/\s+/);
    return { in: BigInt(numbers[RX_BYTES] ?? 0), out: BigInt(numbers[TX_BYTES] ?? 0) };
  }
  return undefined;
}

/** How many connections of `/proc/net/tcp` or `tcp6` are established at one of these ports. */
export function establishedAt(text: string, ports: ReadonlySet<number>): number {
  let count = 0;
  for (const line of text.split("\n").slice(1)) {
    const [, local = "", , state] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
    if (state === ESTABLISHED && ports.has(port)) count++;
  }
  return count;
}

const UP = 0x1;
const REJECT = 0x200;

/** The interface of the IPv4 default route with the lowest metric, from `/proc/net/route`. */
export function defaultInterface(text: string): string | undefined {
  const routes = text
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, , flags = "0", , , , mask]) => {
      const bits = Number.parseInt(flags, 16);
      return destination === "00000000" && mask === "00000000" && (bits & (UP | REJECT)) === UP;
    });
  const [best] = routes.sort((a, b) => Number(a[6]) - Number(b[6]));
  return best?.[0];
}

/** The same from `/proc/net/ipv6_route`. */
export function defaultInterface6(text: string): string | undefined {
  const routes = text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([destination = "", length, , , , , , , flags = "0"]) => {
      const bits = Number.parseInt(flags, 16);
      return /^0{32}$/.test(destination) && length === "00" && (bits & (UP | REJECT)) === UP;
    });
  const [best] = routes.sort(
    (a, b) => Number.parseInt(a[5] ?? "", 16) - Number.parseInt(b[5] ?? "", 16),
  );
  return best?.[9];
}
