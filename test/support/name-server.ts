import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

const types: Readonly<Record<number, "A" | "AAAA">> = { 1: "A", 28: "AAAA" };
const codes = { ok: 0, failure: 2, unknown: 3 } as const;

/** The addresses of a name, as hexadecimal bytes; `silent` gives no answer, `failure` an error. */
export type Zone = Readonly<
  Record<string, { A?: string[]; AAAA?: string[] } | "silent" | "failure">
>;

/** A small name server (RFC 1035) on UDP. */
export class NameServer {
  readonly asked: string[] = [];
  readonly #zone: Zone;
  readonly #socket: Socket = createSocket("udp4");

  private constructor(zone: Zone) {
    this.#zone = zone;
    this.#socket.on("message", (query, from) => {
      const answer = this.#answer(query);
      if (answer) this.#socket.send(answer, from.port, from.address);
    });
  }

  static async listen(zone: Zone): Promise<NameServer> {
    const server = new NameServer(zone);
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  close(): void {
    this.#socket.close();
  }

  #answer(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const type = types[query.readUInt16BE(at + 1)];
    const name = labels.join(".").toLowerCase();
    this.asked.push(`${name} ${type}`);
    const entry = this.#zone[name];
    if (entry === "silent") return undefined;
    if (entry === "failure") return reply(query, question, codes.failure, []);
    if (!entry) return reply(query, question, codes.unknown, []);
    return reply(query, question, codes.ok, (type && entry[type]) ?? []);
  }
}

function reply(query: Buffer, question: Buffer, code: number, addresses: string[]): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((hex) => {
    const data = Buffer.from(hex, "hex");
    const record = Buffer.alloc(12);
    // The name of the question, its type and class, no time to live.
    record.writeUInt16BE(0xc00c, 0);
    question.copy(record, 2, question.length - 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question, ...records]);
}
