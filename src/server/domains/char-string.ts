/** Character strings of zone files (RFC 1035 §5.1, RFC 9460 appendix A.1). */

const LONGEST = 255;
const TOKEN = /(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gsu;

/** The words of a line, quoted or not, as they are written; undefined when a quote stays open. */
export function splitWords(text: string): string[] | undefined {
  const words = text.match(TOKEN) ?? [];
  return text.replaceAll(TOKEN, "").trim() === "" ? words : undefined;
}

/** The bytes of one word, without its quotes and escapes. */
export function readWord(word: string): Buffer {
  const parts = word.matchAll(/\\(\d{3})|\\(.)|"|([^\\"]+)/gsu);
  return Buffer.concat(
    [...parts].map(([, code, escaped, plain]) =>
      code === undefined
        ? Buffer.from(escaped ?? plain ?? "", "utf8")
        : Buffer.from([Number(code) & 0xff]),
    ),
  );
}

/** Bytes as one quoted word, in ASCII. */
export function quote(bytes: Buffer): string {
  let text = "";
  for (const byte of bytes) {
    if (byte === 0x22 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\${String(byte).padStart(3, "0")}`;
  }
  return `"${text}"`;
}

/** The strings that a text is split into, because none may be longer than 255 bytes. */
export function toChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += LONGEST) chunks.push(bytes.subarray(at, at + LONGEST));
  return chunks.length === 0 ? [bytes] : chunks;
}
