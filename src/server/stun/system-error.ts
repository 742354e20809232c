import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import { HoleError, type HoleErrorCode } from "./hole.ts";

/** In words that follow a colon. */
const descriptions: Readonly<Record<string, string>> = {
  EACCES: "the system does not permit it",
  EPERM: "the system does not permit it, say a firewall",
  EADDRINUSE: "the port is in use",
  EADDRNOTAVAIL: "the address is not ours",
  EAFNOSUPPORT: "the system has no such addresses",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the other side reset the connection",
  EPIPE: "the other side has closed the connection",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENETDOWN: "the network is down",
  EINVAL: "the local address cannot be used",
  EMFILE: "the process has too many open files",
  ENOBUFS: "the system has no memory for it",
  ETIMEDOUT: "no answer came in time",
};

export function errorCodeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** What the system said, in words and with its code; to follow a colon. */
export function describeSystemError(error: unknown): string {
  const code = errorCodeOf(error);
  // Not the address, but the pair of addresses and ports is not available.
  if (code === "EADDRNOTAVAIL" && (error as NodeJS.ErrnoException).syscall === "connect") {
    return `the last connection to it has not faded yet (${code})`;
  }
  const description = code === undefined ? undefined : descriptions[code];
  return description === undefined ? (code ?? String(error)) : `${description} (${code})`;
}

const holeCodes: Readonly<Record<string, HoleErrorCode>> = {
  EADDRINUSE: "port_in_use",
  EADDRNOTAVAIL: "address_not_ours",
  EACCES: "not_permitted",
  EPERM: "not_permitted",
  EAFNOSUPPORT: "not_supported",
  ENOTSUP: "not_supported",
  EOPNOTSUPP: "not_supported",
  ENOPROTOOPT: "not_supported",
};

type Sentence = (where: string, address: string) => string;

const sentences: Readonly<Record<HoleErrorCode, Sentence>> = {
  port_in_use: (where) => `${where} is used by somebody else`,
  address_not_ours: (_where, address) => `${address} is no address of this host`,
  not_permitted: (where) => `The system does not permit to use ${where}`,
  not_supported: (where) => `The system cannot use ${where} in this way`,
  failed: (where) => `${where} cannot be opened`,
};

/** Why a local port could not be bound. */
export function toHoleError(error: unknown, transport: "UDP" | "TCP", local: Endpoint): HoleError {
  const code = holeCodes[errorCodeOf(error) ?? ""] ?? "failed";
  const where = `${transport} ${formatEndpoint(local)}`;
  const detail = code === "failed" ? `: ${describeSystemError(error)}` : "";
  return new HoleError(code, sentences[code](where, local.address) + detail, { cause: error });
}
