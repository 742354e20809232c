import { ByteStream } from "./byte-stream.ts";
import type { PacketChannel, Random } from "./packet-channel.ts";
import { PacketStream } from "./packet-stream.ts";
import { ConnectionEnded } from "./peer-errors.ts";
import { isIpAddress, type ServerAddress } from "./server-address.ts";
import { DialError, type Connection } from "./sockets.ts";
import { openWebSocket } from "./web-socket.ts";

/**
 * Makes a connection carry packets in the way of the server's transport.
 * @throws ConnectionEnded, ProtocolError; DialError when the place cannot speak the transport
 */
export async function openChannel(
  connection: Connection,
  server: ServerAddress,
  random: Random,
): Promise<PacketChannel> {
  if (server.transport === "tcp") return new PacketStream(new ByteStream(connection));
  const carrier = server.transport === "wss" ? await secure(connection, server.host) : connection;
  return openWebSocket(new ByteStream(carrier), server, random);
}

async function secure(connection: Connection, host: string): Promise<Connection> {
  try {
    return await connection.secure(isIpAddress(host) ? undefined : host);
  } catch (error) {
    throw error instanceof DialError ? error : new ConnectionEnded(error);
  }
}
