import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import type { CheckedAddresses, Egress } from "./egress.ts";
import { ExchangeError } from "./exchange-error.ts";

/** How much of the time a name may take to be resolved. */
const RESOLVING_SHARE = 0.6;
/** How often the system asks whether an idle connection still stands. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Opens the connections of an HTTP client: resolves once, judges every address, and dials what was
 * judged. The name stays what the other side is asked for (SNI) and must prove in its certificate.
 * @param limitMs for the resolving, the connection and the TLS handshake together
 */
export function checkedConnector(egress: Egress, limitMs: number): buildConnector.connector {
  return (options, callback) => {
    void answer(callback, open(egress, limitMs, options));
  };
}

async function answer(callback: buildConnector.Callback, opening: Promise<Socket>): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (error) {
    callback(error as Error, null);
    return;
  }
  callback(null, socket);
}

async function open(
  egress: Egress,
  limitMs: number,
  { hostname, protocol, port }: buildConnector.Options,
): Promise<Socket> {
  const isTls = protocol === "https:";
  const target = { host: hostname, port: Number(port) || (isTls ? 443 : 80) };
  const giveUp = AbortSignal.timeout(limitMs);
  const addresses = await egress.locate(target.host, target.port, limitMs * RESOLVING_SHARE);
  const socket = dial(target, addresses, isTls);
  const opened = Promise.withResolvers<void>();
  const late = () => {
    const place = `${target.host}:${target.port}`;
    socket.destroy(new ExchangeError("timeout", `No connection to ${place} in ${limitMs} ms`));
  };
  giveUp.addEventListener("abort", late, { once: true });
  socket.once(isTls ? "secureConnect" : "connect", opened.resolve).once("error", opened.reject);
  try {
    await opened.promise;
    return socket;
  } finally {
    giveUp.removeEventListener("abort", late);
    socket.off("error", opened.reject);
  }
}

/** For a name, the system's choice among the checked addresses (RFC 8305); never a second look-up. */
function dial(
  { host, port }: { host: string; port: number },
  addresses: CheckedAddresses,
  isTls: boolean,
): Socket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const options = {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    autoSelectFamily: true,
    lookup: (_host: string, _options: object, done: (error: null, all: typeof found) => void) =>
      done(null, found),
  };
  if (!isTls) return connectTcp(options);
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ ...options, ...name, ALPNProtocols: ["http/1.1"] });
}
