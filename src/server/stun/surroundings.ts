import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import type { Endpoint } from "./endpoint.ts";
import { toBindAddress } from "./local-address.ts";

/** What this host is, as far as it explains what servers see. */
export interface Surroundings {
  /** By which traffic to the servers leaves; null when that could not be seen. */
  exit: { interfaceName: string; address: string; isTunnel: boolean } | null;
  /** IPv4 address of the next router. */
  gateway: string | null;
  /** Whether a container's own network, with a NAT of its own, lies in between. */
  isBridged: boolean;
}

/** The content of a file; undefined when there is none to be read. */
export type ReadText = (path: string) => Promise<string | undefined>;

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

const CONTAINER_FILES: readonly string[] = ["/.dockerenv", "/run/.containerenv"];
const CONTAINER_GROUP = /docker|containerd|kubepods|libpod|lxc/;
const DEFAULT_BRIDGE = /^172\.17\./;
/** Names that systems without `/sys` give to tunnels. */
const TUNNEL_NAME = /^(?:utun|tun|wg|tap|tailscale|zt|nordlynx|proton|mihomo|clash)/i;

/** @param server whom traffic is sent to; nothing is sent to find out */
export async function surroundingsOf(
  server: Endpoint,
  localAddress: string | null,
  read: ReadText = readText,
): Promise<Surroundings> {
  const address = await sourceAddressFor(server, localAddress);
  const interfaceName = address === undefined ? undefined : interfaceOf(address);
  const gateway = await gatewayOf(interfaceName, read);
  const isTunnel = interfaceName !== undefined && (await isTunnelLink(interfaceName, read));
  const isInContainer = await isContainer(read);
  const isVirtual = interfaceName !== undefined && (await isPaired(interfaceName, read));
  const isBridged =
    (isInContainer && (isVirtual || isTunnel)) || DEFAULT_BRIDGE.test(gateway ?? "");
  return {
    exit:
      address === undefined || interfaceName === undefined
        ? null
        : { interfaceName, address, isTunnel: isTunnel && !isInContainer },
    gateway,
    isBridged,
  };
}

/** The system chooses it when a datagram socket is connected, which sends nothing. */
async function sourceAddressFor(
  { address, port }: Endpoint,
  localAddress: string | null,
): Promise<string | undefined> {
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  try {
    socket.bind({
      address: isIPv6(address) ? (localAddress ?? "::") : toBindAddress(localAddress),
    });
    await once(socket, "listening");
    socket.connect(port, address);
    await once(socket, "connect");
    return socket.address().address;
  } catch {
    // No way there: the servers do not answer either.
    return undefined;
  } finally {
    socket.close();
  }
}

function interfaceOf(address: string): string | undefined {
  const interfaces = Object.entries(networkInterfaces());
  return interfaces.find(([, found]) => found?.some((each) => each.address === address))?.[0];
}

/** Of the default route, by proc(5). */
async function gatewayOf(
  interfaceName: string | undefined,
  read: ReadText,
): Promise<string | null> {
  const table = (await read("/proc/net/route")) ?? "";
  const routes = table.split("\n").map((line) => line.split(/\s+/));
  const defaults = routes.filter(isDefault);
  const route = defaults.find(([name]) => name === interfaceName) ?? defaults[0];
  return toAddress(route?.[2]);
}

function isDefault([, destination, gateway]: string[]): boolean {
  return destination === "00000000" && gateway !== "00000000";
}

/** Hexadecimal, in the byte order of the machine, which is little-endian wherever Node runs. */
function toAddress(hex: string | undefined): string | null {
  if (hex === undefined || !/^[0-9A-F]{8}$/i.test(hex)) return null;
  return [...Buffer.from(hex, "hex")].toReversed().join(".");
}

async function isTunnelLink(name: string, read: ReadText): Promise<boolean> {
  const [flags, event] = await Promise.all([
    read(`/sys/class/net/${name}/tun_flags`),
    read(`/sys/class/net/${name}/uevent`),
  ]);
  if (flags !== undefined || /DEVTYPE=wireguard/.test(event ?? "")) return true;
  return event === undefined && TUNNEL_NAME.test(name);
}

/** One end of a pair whose other end lies elsewhere. */
async function isPaired(name: string, read: ReadText): Promise<boolean> {
  const [own, other] = await Promise.all([
    read(`/sys/class/net/${name}/ifindex`),
    read(`/sys/class/net/${name}/iflink`),
  ]);
  return own !== undefined && other !== undefined && own.trim() !== other.trim();
}

async function isContainer(read: ReadText): Promise<boolean> {
  const marks = await Promise.all(CONTAINER_FILES.map(read));
  if (marks.some((mark) => mark !== undefined)) return true;
  return CONTAINER_GROUP.test((await read("/proc/1/cgroup")) ?? "");
}
