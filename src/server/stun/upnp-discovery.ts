import { createSocket } from "node:dgram";
import { once } from "node:events";
import { within } from "../../probe/deadline.ts";
import { isNoAnswer } from "./router-question.ts";

const MULTICAST = { address: "239.255.255.250", port: 1900 };
/** Of two generations; a device of the second answers to the first, too, or should. */
const targets = [2, 1].map(
  (version) => `urn:schemas-upnp-org:device:InternetGatewayDevice:${version}`,
);
const BETWEEN_SEARCHES_MS = 300;

/**
 * The description of the router by SSDP (UPnP Device Architecture §1.3); undefined when it does not
 * answer in time. Nobody but the router is believed.
 * @param localAddress the address of the interface that is asked on
 * @throws the reason of `signal`
 */
export async function findDescription(
  router: string,
  localAddress: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<URL | undefined> {
  const socket = createSocket("udp4");
  const found = Promise.withResolvers<URL>();
  socket.on("error", () => {});
  socket.on("message", (bytes, from) => {
    const location = from.address === router ? readLocation(bytes.toString("latin1")) : undefined;
    if (location?.hostname === router) found.resolve(location);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await within(withinMs, signal, async () => {
      const bound = once(socket, "listening");
      socket.bind({ address: localAddress });
      await bound;
      socket.setMulticastInterface(localAddress);
      const search = () => {
        for (const target of targets) {
          for (const to of [MULTICAST.address, router]) {
            socket.send(toSearch(target), MULTICAST.port, to, () => {});
          }
        }
        timer = setTimeout(search, BETWEEN_SEARCHES_MS);
      };
      search();
      return found.promise;
    });
  } catch (error) {
    if (!signal.aborted && isNoAnswer(error)) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

function toSearch(target: string): string {
  return [
    "M-SEARCH * HTTP/1.1",
    `HOST: ${MULTICAST.address}:${MULTICAST.port}`,
    'MAN: "ssdp:discover"',
    "MX: 1",
    `ST: ${target}`,
    "",
    "",
  ].join("\r\n");
}

function readLocation(text: string): URL | undefined {
  if (!/^HTTP\/1\.[01] 200 /.test(text)) return undefined;
  const location = /^location:[ \t]*(\S+)/im.exec(text)?.[1] ?? "";
  const url = URL.parse(location);
  return url?.protocol === "http:" ? url : undefined;
}
