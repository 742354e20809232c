import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** What a document has between two fences. */
export interface Block {
  /** The heading above. */
  heading: string;
  /** What stands behind the fence; may be empty. */
  language: string;
  /** Without the indentation of its fence. */
  text: string;
  /** The block without a language right behind it. */
  printed: string;
  /** Whether it is such a block itself. */
  isPrinted: boolean;
}

/** Commands of a document, and what it says that they print. */
export interface Stop {
  /** The heading above. */
  heading: string;
  commands: string;
  expected: string;
}

export interface WalkOptions {
  /** Where it is walked. */
  folder: string;
  /** Where the service listens, in place of the document's 127.0.0.1:8080. */
  origin?: string;
  /** What stands in place of other texts of the document. */
  instead?: Readonly<Record<string, string>>;
  env?: Record<string, string>;
  /** Folders with programs that not everybody has. */
  path?: readonly string[];
  /** What is typed, and then the input ends. */
  input?: string;
}

const MARK = "--- the next stop ---";

export function readBlocks(text: string): Block[] {
  const found = text.matchAll(/^#{1,6} (.*)$|^( *)```(\S*)\n([^]*?)^ *```(?:\n|$)/gm);
  const blocks: Block[] = [];
  let heading = "";
  let end = -1;
  for (const { index, 0: whole, 1: nextHeading, 2: indent = "", 3: language, 4: body } of found) {
    heading = nextHeading ?? heading;
    if (language === undefined || body === undefined) continue;
    const own = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const before = end === index && language === "" ? blocks.at(-1) : undefined;
    if (before) before.printed = own;
    blocks.push({ heading, language, text: own, printed: "", isPrinted: before !== undefined });
    end = index + whole.length;
  }
  return blocks;
}

/** Each block of bash with the block behind it; without one, nothing may be printed. */
export function readStops(text: string): Stop[] {
  return readBlocks(text)
    .filter(({ language }) => language === "bash")
    .map(({ heading, text: commands, printed }) => ({ heading, commands, expected: printed }));
}

/** Runs all commands in one bash. @returns what each block printed */
export async function walk(stops: readonly Stop[], options: WalkOptions): Promise<string[]> {
  const { folder, origin, instead = {}, env = {}, path = [], input = "" } = options;
  const script = stops.map(({ commands }) => `${commands}\necho '${MARK}'`).join("\n");
  const file = join(folder, "walk.sh");
  const host = origin && new URL(origin).host;
  await writeFile(file, adapt(script, { ...(host && { "127.0.0.1:8080": host }), ...instead }));
  const PATH = [...path, process.env["PATH"]].join(delimiter);
  const walked = promisify(execFile)("bash", [file], {
    cwd: folder,
    env: { ...process.env, ...env, PATH },
  });
  // Who does not read the input may be gone before it is written.
  walked.child.stdin?.on("error", () => {}).end(input);
  const { stdout, stderr } = await walked;
  if (stderr !== "") throw new Error(`on standard error: ${stderr}`);
  return stdout.split(`${MARK}\n`);
}

/** A text of a document with what is there in place of what the document names. */
export function adapt(text: string, instead: Readonly<Record<string, string>>): string {
  const names = Object.keys(instead).map(literal);
  if (names.length === 0) return text;
  return text.replaceAll(new RegExp(names.join("|"), "g"), (name) => instead[name] ?? "");
}

/** A text without its white space, which does not count. */
export function bare(text: string): string {
  return text.replaceAll(/\s/g, "");
}

/** What `bare` makes of the expected text; `…` in it stands for anything. */
export function toPattern(expected: string): RegExp {
  return new RegExp(`^${literal(bare(expected)).replaceAll("…", ".*?")}$`);
}

/** An expression that matches this text alone. */
function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
