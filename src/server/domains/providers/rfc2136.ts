import { randomInt } from "node:crypto";
import { recordTypes, type Rfc2136Config, type RecordType } from "../../../shared/api/domains.ts";
import type { FieldError } from "../../../shared/field-errors.ts";
import type { Static } from "typebox";
import { parseHostPort, type HostPort } from "../../lib/host-port.ts";
import { encodeMessage, OPCODE, rcodeName, TYPE, type DnsMessage } from "../dns-message.ts";
import { decodeName, DnsFormatError, toRecordName } from "../dns-name.ts";
import { toQuery, toUpdate } from "../dns-update.ts";
import { DomainError } from "../domain-error.ts";
import { decodeData, typeNumber } from "../rdata.ts";
import type { HeldRecord, RecordChange } from "../record-plan.ts";
import { signMessage, verifyAnswer, type TsigKey, type VerifiedAnswer } from "../tsig.ts";
import type { DnsProvider, ProviderContext, TestFinding, Zone } from "./provider.ts";

type Config = Static<typeof Rfc2136Config>;
type Stage = "read" | "write" | "verify";

const ID_COUNT = 65_536;

/** Dynamic updates of RFC 2136, signed with TSIG. Reads are signed, too: views may depend on it. */
export const rfc2136: DnsProvider<Config> = {
  name: "rfc2136",
  types: recordTypes,
  objections(config) {
    const found: FieldError[] = [];
    if (!parseHostPort(config.server)) {
      found.push({ path: "server", message: "must be host:port, such as ns1.example.com:53" });
    }
    for (const path of ["zone", "key_name"] as const) {
      if (toRecordName(config[path]) === undefined) {
        found.push({ path, message: "must be a DNS name" });
      }
    }
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(config.key_secret)) {
      found.push({ path: "key_secret", message: "must be Base64, as in the server's key file" });
    }
    return found;
  },
  open: (config, context) => new Rfc2136Zone(config, context),
};

class Rfc2136Zone implements Zone {
  readonly apex: string;
  readonly writesTogether = true;
  readonly #server: HostPort;
  readonly #key: TsigKey;
  readonly #context: ProviderContext;

  constructor(config: Config, context: ProviderContext) {
    const server = parseHostPort(config.server);
    if (!server) throw new Error("the server was checked before it was stored");
    this.#server = server;
    this.apex = toRecordName(config.zone) ?? config.zone;
    this.#key = {
      name: toRecordName(config.key_name) ?? config.key_name,
      algorithm: config.key_algorithm ?? "hmac-sha256",
      secret: Buffer.from(config.key_secret, "base64"),
    };
    this.#context = context;
  }

  async read(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]> {
    const number = typeNumber(type);
    const answer = await this.#ask(stage, toQuery(newId(), name, number), `${name} ${type}`);
    if (rcodeName(answer.rcode) === "NXDOMAIN") return [];
    if (!answer.isAuthoritative) {
      throw new DomainError(
        "permanent",
        "not_authoritative",
        `The server does not hold the zone of ${name} itself: name the primary server`,
        { responseBody: rcodeName(answer.rcode) },
      );
    }
    if (answer.answers.some((each) => each.type === TYPE.CNAME)) {
      throw new DomainError("permanent", "is_alias", `${name} is an alias: it has no ${type}`);
    }
    return answer.answers
      .filter((each) => each.type === number && each.name === name)
      .map(({ ttl, data }) => ({ data: decodeData(type, data), ttl, line: "", handle: data }));
  }

  async write(changes: readonly RecordChange[]): Promise<void> {
    const names = changes.map(({ name, type }) => `${name} ${type}`).join(", ");
    await this.#ask("write", toUpdate(newId(), this.apex, changes), names);
  }

  /** An update without changes shows whether the key may update. */
  async test(): Promise<TestFinding> {
    const zone = this.apex;
    const query = toQuery(newId(), zone, TYPE.SOA);
    const { answers, isAuthoritative } = await this.#ask("read", query, `${zone} SOA`);
    const soa = answers.find((each) => each.type === TYPE.SOA && each.name === zone);
    if (!soa || !isAuthoritative) {
      return { ok: false, message: `The server does not hold the zone ${zone}` };
    }
    await this.#ask("read", toUpdate(newId(), zone, []), "nothing");
    const serial = serialOf(soa.data);
    return {
      ok: true,
      message: `The server takes updates of ${zone} that are signed with ${this.#key.name}`,
      details: { zone, serial },
    };
  }

  async #ask(stage: Stage, message: DnsMessage, about: string): Promise<DnsMessage> {
    const { exchange, dns, now } = this.#context;
    const startedAt = now();
    const request = signMessage(encodeMessage(message), this.#key, startedAt);
    let word: string | null = null;
    try {
      const bytes = await dns.ask(this.#server, request.bytes, exchange.signal);
      const verified = verifyAnswer(bytes, request, this.#key, now());
      word = wordOf(verified);
      const answer = believe(verified, now());
      refuse(answer, this.apex);
      return answer;
    } catch (error) {
      if (!(error instanceof DnsFormatError)) throw error;
      throw new DomainError("transient", "malformed_answer", `No DNS message: ${error.message}`);
    } finally {
      exchange.record({
        stage,
        method: message.opcode === OPCODE.update ? "UPDATE" : "QUERY",
        url: `dns://${this.#server.host}:${this.#server.port}/${this.apex}`,
        request_headers: { tsig: `${this.#key.name} ${this.#key.algorithm}` },
        request_body: about,
        status: null,
        response_headers: null,
        response_body: word,
        truncated: false,
        duration_ms: Math.max(0, now() - startedAt),
      });
    }
  }
}

function newId(): number {
  return randomInt(ID_COUNT);
}

/** The name of the response code that says most. */
function wordOf(verified: VerifiedAnswer): string {
  return rcodeName(verified.kind === "refused_signature" ? verified.error : verified.message.rcode);
}

/**
 * The answer, when it is from the holder of the key.
 * @param now in milliseconds since 1970
 * @throws DomainError
 */
function believe(verified: VerifiedAnswer, now: number): DnsMessage {
  if (verified.kind === "signed") return verified.message;
  const word = wordOf(verified);
  const [kind, errorClass, sentence] = reasonNotTo(verified, word, now);
  const details = { responseBody: word, concernsAccount: true };
  throw new DomainError(kind, errorClass, sentence, details);
}

type Reason = ["transient" | "permanent", errorClass: string, sentence: string];

function reasonNotTo(
  verified: Exclude<VerifiedAnswer, { kind: "signed" }>,
  word: string,
  now: number,
): Reason {
  switch (verified.kind) {
    case "unsigned":
      return [
        word === "SERVFAIL" ? "transient" : "permanent",
        word === "NOERROR" ? "unsigned_answer" : word,
        `The server answered ${word} without a signature, so it is not believed: does it know the key?`,
      ];
    case "forged":
      return ["transient", "forged_answer", `${word} is not believed: ${verified.reason}`];
    default:
      return [
        word === "BADTIME" ? "transient" : "permanent",
        word,
        signatureSentence(word, verified.serverTime, now),
      ];
  }
}

function signatureSentence(word: string, serverTime: number | undefined, now: number): string {
  switch (word) {
    case "BADSIG":
      return "The server refuses the signature: the secret of the key is another one there";
    case "BADKEY":
      return "The server has no key with this name and algorithm";
    case "BADTIME": {
      const by = serverTime === undefined ? undefined : Math.abs(serverTime - now / 1000);
      const apart = by === undefined ? "" : `, ${Math.round(by)} s`;
      return `The clocks of the server and of this machine are too far apart${apart}`;
    }
    default:
      return `The server refuses the signature: ${word}`;
  }
}

/** @throws DomainError */
function refuse({ rcode: code, opcode }: DnsMessage, zone: string): void {
  const rcode = rcodeName(code);
  if (rcode === "NOERROR" || (rcode === "NXDOMAIN" && opcode === OPCODE.query)) return;
  const sentence = sentences[rcode]?.(zone) ?? `The server answered ${rcode}`;
  const isTransient = ["SERVFAIL", "NXRRSET", "YXRRSET"].includes(rcode);
  throw new DomainError(isTransient ? "transient" : "permanent", rcode, sentence, {
    responseBody: rcode,
  });
}

const sentences: Readonly<Record<string, (zone: string) => string>> = {
  NOTAUTH: (zone) => `The server is not the primary server of the zone ${zone}`,
  NOTZONE: (zone) => `A name does not lie in the zone ${zone}`,
  REFUSED: (zone) => `The server refuses this key to change the zone ${zone}`,
  NXRRSET: () => "Somebody else changed the record at the same time",
  YXRRSET: () => "Somebody else changed the record at the same time",
};

/** RFC 1035 §3.3.13. */
function serialOf(soa: Buffer): number {
  const { end: primaryEnd } = decodeName(soa, 0);
  return soa.readUInt32BE(decodeName(soa, primaryEnd).end);
}
