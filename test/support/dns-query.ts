import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import packet from "dns-packet";
import ipaddr from "ipaddr.js";

export interface DnsValue {
  ttl: number;
  /** As a zone file has it. */
  value: string;
}

const PATIENCE_MS = 5_000;
const unknownTypes: Readonly<Record<string, string>> = { HTTPS: "UNKNOWN_65", SVCB: "UNKNOWN_64" };

/** Asks a name server on the loopback interface, with another codec than the service's own. */
export async function queryDns(port: number, name: string, type: string): Promise<DnsValue[]> {
  const socket = createSocket("udp4");
  socket.send(packet.encode(toQuery(name, type)), port, "127.0.0.1");
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const [bytes] = (await once(socket, "message", { signal })) as [Buffer];
    return toValues(packet.decode(bytes), type);
  } finally {
    socket.close();
  }
}

/** The same over TCP. */
export async function queryDnsOverTcp(
  port: number,
  name: string,
  type: string,
): Promise<DnsValue[]> {
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("The name server is silent.")));
  try {
    socket.write(packet.streamEncode(toQuery(name, type)));
    let bytes = Buffer.alloc(0);
    for await (const chunk of socket) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      if (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) break;
    }
    return toValues(packet.streamDecode(bytes), type);
  } finally {
    socket.destroy();
  }
}

function toQuery(name: string, type: string): packet.Packet {
  return { type: "query", id: 7, questions: [{ name, type: wireType(type) }] };
}

function toValues({ answers = [] }: packet.Packet, type: string): DnsValue[] {
  return answers.flatMap((each) => {
    const { ttl = 0, data } = each as { ttl?: number; data: unknown };
    return each.type === wireType(type) ? [{ ttl, value: toText(type, data) }] : [];
  });
}

function wireType(type: string): packet.RecordType {
  return (unknownTypes[type] ?? type) as packet.RecordType;
}

function toText(type: string, data: unknown): string {
  switch (type) {
    case "AAAA":
      return ipaddr.parse(data as string).toString();
    case "TXT":
      return (data as Buffer[]).map((part) => `"${part.toString("utf8")}"`).join(" ");
    case "SRV": {
      const { priority = 0, weight = 0, port, target } = data as packet.SrvData;
      return `${priority} ${weight} ${port} ${target}.`;
    }
    case "HTTPS":
    case "SVCB":
      return serviceText(data as Buffer);
    default:
      return data as string;
  }
}

/** RFC 9460 §2.2, for the parameters that the tests use. */
function serviceText(bytes: Buffer): string {
  const words = [String(bytes.readUInt16BE(0))];
  let at = 2;
  let target = "";
  while (bytes[at] !== 0) {
    target += `${bytes.toString("latin1", at + 1, at + 1 + (bytes[at] ?? 0))}.`;
    at += 1 + (bytes[at] ?? 0);
  }
  words.push(target === "" ? "." : target);
  for (at += 1; at < bytes.length; at += 4 + bytes.readUInt16BE(at + 2)) {
    const value = bytes.subarray(at + 4, at + 4 + bytes.readUInt16BE(at + 2));
    words.push(parameterText(bytes.readUInt16BE(at), value));
  }
  return words.join(" ");
}

function parameterText(key: number, value: Buffer): string {
  switch (key) {
    case 1: {
      const words: string[] = [];
      for (let at = 0; at < value.length; at += 1 + (value[at] ?? 0)) {
        words.push(value.toString("latin1", at + 1, at + 1 + (value[at] ?? 0)));
      }
      return `alpn=${words.join(",")}`;
    }
    case 3:
      return `port=${value.readUInt16BE(0)}`;
    case 4:
      return `ipv4hint=${value.join(".")}`;
    default:
      return `key${key}=${value.toString("hex")}`;
  }
}
