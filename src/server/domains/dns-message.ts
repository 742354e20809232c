import { decodeName, DnsFormatError, encodeName } from "./dns-name.ts";

/** A message of RFC 1035 §4, or an update of RFC 2136 §2, whose sections have other names. */
export interface DnsMessage {
  id: number;
  opcode: number;
  isAnswer: boolean;
  isAuthoritative: boolean;
  isTruncated: boolean;
  rcode: number;
  /** The zone of an update. */
  questions: readonly Question[];
  /** The prerequisites of an update. */
  answers: readonly ResourceRecord[];
  /** The changes of an update. */
  authorities: readonly ResourceRecord[];
  additionals: readonly ResourceRecord[];
}

export interface Question {
  name: string;
  type: number;
  class: number;
}

export interface ResourceRecord extends Question {
  /** In seconds. */
  ttl: number;
  /** Names in it are not compressed, in the types we know. */
  data: Buffer;
}

export const OPCODE = { query: 0, update: 5 } as const;
export const CLASS = { internet: 1, none: 254, any: 255 } as const;
export const TYPE = {
  A: 1,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  SVCB: 64,
  HTTPS: 65,
  TSIG: 250,
  ANY: 255,
} as const;

/** RFC 1035 §4.1.1, RFC 2136 §2.2, RFC 8945 §3. */
const rcodeNames: Readonly<Record<number, string>> = {
  0: "NOERROR",
  1: "FORMERR",
  2: "SERVFAIL",
  3: "NXDOMAIN",
  4: "NOTIMP",
  5: "REFUSED",
  6: "YXDOMAIN",
  7: "YXRRSET",
  8: "NXRRSET",
  9: "NOTAUTH",
  10: "NOTZONE",
  16: "BADSIG",
  17: "BADKEY",
  18: "BADTIME",
  22: "BADTRUNC",
};

export function rcodeName(rcode: number): string {
  return rcodeNames[rcode] ?? `RCODE${rcode}`;
}

const HEADER_BYTES = 12;

export function encodeMessage(message: DnsMessage): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(message.id, 0);
  header.writeUInt16BE(toFlags(message), 2);
  header.writeUInt16BE(message.questions.length, 4);
  header.writeUInt16BE(message.answers.length, 6);
  header.writeUInt16BE(message.authorities.length, 8);
  header.writeUInt16BE(message.additionals.length, 10);
  const records = [message.answers, message.authorities, message.additionals].flat();
  return Buffer.concat([
    header,
    ...message.questions.map(encodeQuestion),
    ...records.map(encodeRecord),
  ]);
}

function toFlags({ isAnswer, opcode, isAuthoritative, isTruncated, rcode }: DnsMessage): number {
  const bits = [isAnswer ? 0x8000 : 0, opcode << 11, isAuthoritative ? 0x0400 : 0];
  return [...bits, isTruncated ? 0x0200 : 0, rcode].reduce((sum, bit) => sum | bit, 0);
}

function encodeQuestion({ name, type, class: recordClass }: Question): Buffer {
  const rest = Buffer.alloc(4);
  rest.writeUInt16BE(type, 0);
  rest.writeUInt16BE(recordClass, 2);
  return Buffer.concat([encodeName(name), rest]);
}

export function encodeRecord(record: ResourceRecord): Buffer {
  const rest = Buffer.alloc(6);
  rest.writeUInt32BE(record.ttl, 0);
  rest.writeUInt16BE(record.data.length, 4);
  return Buffer.concat([encodeQuestion(record), rest, record.data]);
}

/** A message that was read, and where its last record begins: a signature covers what is before. */
export interface ReadMessage {
  message: DnsMessage;
  lastRecordAt: number | undefined;
}

/** @throws DnsFormatError */
export function decodeMessage(bytes: Buffer): ReadMessage {
  if (bytes.length < HEADER_BYTES) throw new DnsFormatError("the message is too short");
  const reader = new Reader(bytes, HEADER_BYTES);
  const flags = bytes.readUInt16BE(2);
  const [questionCount, ...counts] = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  const questions = Array.from({ length: questionCount ?? 0 }, () => reader.question());
  const sections = counts.map((count) => Array.from({ length: count }, () => reader.record()));
  const [answers = [], authorities = [], additionals = []] = sections;
  if (reader.at !== bytes.length) throw new DnsFormatError("bytes follow the message");
  const message: DnsMessage = {
    id: bytes.readUInt16BE(0),
    opcode: (flags >> 11) & 0xf,
    isAnswer: (flags & 0x8000) !== 0,
    isAuthoritative: (flags & 0x0400) !== 0,
    isTruncated: (flags & 0x0200) !== 0,
    rcode: flags & 0xf,
    questions,
    answers,
    authorities,
    additionals,
  };
  return { message, lastRecordAt: reader.lastRecordAt };
}

/** How many names stand after how many other bytes. */
const namePlaces: Readonly<Record<number, { skip: number; names: number }>> = {
  [TYPE.CNAME]: { skip: 0, names: 1 },
  [TYPE.SOA]: { skip: 0, names: 2 },
  // RFC 2782 forbids it; older servers do.
  [TYPE.SRV]: { skip: 6, names: 1 },
};

class Reader {
  readonly #bytes: Buffer;
  at: number;
  lastRecordAt: number | undefined;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  question(): Question {
    const { name, end } = decodeName(this.#bytes, this.at);
    this.at = end;
    return { name, type: this.#number(2), class: this.#number(2) };
  }

  record(): ResourceRecord {
    this.lastRecordAt = this.at;
    const question = this.question();
    const ttl = this.#number(4);
    const length = this.#number(2);
    const start = this.at;
    this.at += length;
    if (this.at > this.#bytes.length) throw new DnsFormatError("a record ends too soon");
    return { ...question, ttl, data: this.#data(question.type, start, this.at) };
  }

  /** The names in these may be compressed: they are written out. */
  #data(type: number, start: number, end: number): Buffer {
    const place = namePlaces[type];
    if (!place || end - start <= place.skip) return this.#bytes.subarray(start, end);
    const parts = [this.#bytes.subarray(start, start + place.skip)];
    let at = start + place.skip;
    for (let count = 0; count < place.names; count++) {
      const { name, end: nameEnd } = decodeName(this.#bytes.subarray(0, end), at);
      parts.push(encodeName(name));
      at = nameEnd;
    }
    return Buffer.concat([...parts, this.#bytes.subarray(at, end)]);
  }

  #number(bytes: 2 | 4): number {
    const start = this.at;
    this.at += bytes;
    if (this.at > this.#bytes.length) throw new DnsFormatError("the message ends too soon");
    return this.#bytes.readUIntBE(start, bytes);
  }
}
