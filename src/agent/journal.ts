import { createHash } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyLedger, type Ledger } from "./ledger.ts";
import { fromText, toText } from "./ledger-text.ts";

/** Why the journal cannot be used, in a sentence. */
export class JournalError extends Error {}

interface Page {
  number: number;
  ledger: Ledger;
}

/**
 * The ledger on the disk, in two pages that are written in turn: while one is written the other
 * holds what was there before. A page is a line with its number, a checksum and the ledger.
 */
export class Journal {
  readonly #folder: string;
  readonly #name: string;
  #number = 0;

  /** @param name of the files, without what follows the dot */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  get path(): string {
    return join(this.#folder, this.#name);
  }

  /** The ledger as it was saved last. @throws JournalError */
  async load(): Promise<Ledger> {
    const pages = await Promise.all([this.#readPage(0), this.#readPage(1)]);
    const texts = pages.filter((text) => text !== undefined);
    const [newest] = texts
      .map(parsePage)
      .filter(isPage)
      .sort((a, b) => b.number - a.number);
    if (newest) {
      this.#number = newest.number;
      return newest.ledger;
    }
    // The first page may have been begun and not finished; nothing was sent then.
    if (texts.length < 2) return emptyLedger;
    throw new JournalError(
      `The journal ${this.path}.* is damaged; without it, what was reported is unknown. ` +
        "Delete it to count from now on",
    );
  }

  /** Returns when the ledger would survive a power cut. @throws JournalError */
  async save(ledger: Ledger): Promise<void> {
    const number = this.#number + 1;
    const text = toText(ledger);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeDurably(this.#pagePath(number), `${number} ${checksum(number, text)} ${text}\n`);
      // The names of the first two pages have to last as well.
      if (number <= 2) await flushFolder(this.#folder);
    } catch (error) {
      throw new JournalError(`The journal cannot be written: ${(error as Error).message}`);
    }
    this.#number = number;
  }

  #pagePath(number: number): string {
    return `${this.path}.${number % 2}`;
  }

  /** @returns undefined when there is none */
  async #readPage(number: number): Promise<string | undefined> {
    try {
      return await readFile(this.#pagePath(number), "utf8");
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return undefined;
      throw new JournalError(`The journal cannot be read: ${message}`);
    }
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** @returns undefined for a page that was not finished. @throws JournalError for a newer format */
function parsePage(line: string): Page | undefined {
  const [, digits = "", sum, text = ""] = /^(\d{1,15}) ([\da-f]{64}) (.*)\n$/s.exec(line) ?? [];
  const number = Number(digits);
  if (sum === undefined || sum !== checksum(number, text)) return undefined;
  try {
    return { number, ledger: fromText(text) };
  } catch (error) {
    throw new JournalError(`The journal cannot be read: ${(error as Error).message}`);
  }
}

function isPage(page: Page | undefined): page is Page {
  return page !== undefined;
}

function checksum(number: number, text: string): string {
  return createHash("sha256").update(`${number} ${text}`).digest("hex");
}
