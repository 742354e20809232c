import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port of 127.0.0.1 that is free for TCP and for UDP, for a program that has to be told one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const stream = createServer();
    stream.listen(0, "127.0.0.1");
    await once(stream, "listening");
    const { port } = stream.address() as AddressInfo;
    const isFree = await isFreeForDatagrams(port);
    stream.close();
    await once(stream, "close");
    if (isFree) return port;
  }
}

async function isFreeForDatagrams(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  try {
    socket.bind(port, "127.0.0.1");
    await once(socket, "listening");
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
