import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

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
  env?: Record<string, string>;
  /** Folders with programs that not everybody has. */
  path?: readonly string[];
}

const MARK = "--- the next stop ---";

/** Each block of bash with the block behind it; without one, nothing may be printed. */
export function readStops(text: string): Stop[] {
  const blocks = text.matchAll(/^#{2,3} (.*)$|^```bash\n([^]*?)^```\n(?:```\n([^]*?)^```\n)?/gm);
  let heading = "";
  return [...blocks].flatMap(([, nextHeading, commands, expected = ""]) => {
    heading = nextHeading ?? heading;
    return commands === undefined ? [] : [{ heading, commands, expected }];
  });
}

/** Runs all commands in one bash. @returns what each block printed */
export async function walk(stops: readonly Stop[], options: WalkOptions): Promise<string[]> {
  const { folder, origin, env = {}, path = [] } = options;
  const script = stops.map(({ commands }) => `${commands}\necho '${MARK}'`).join("\n");
  const file = join(folder, "walk.sh");
  const host = origin && new URL(origin).host;
  await writeFile(file, host ? script.replaceAll("127.0.0.1:8080", host) : script);
  const PATH = [...path, process.env["PATH"]].join(delimiter);
  const { stdout, stderr } = await promisify(execFile)("bash", [file], {
    cwd: folder,
    env: { ...process.env, ...env, PATH },
  });
  if (stderr !== "") throw new Error(`on standard error: ${stderr}`);
  return stdout.split(`${MARK}\n`);
}

/** A text without its white space, which does not count. */
export function bare(text: string): string {
  return text.replaceAll(/\s/g, "");
}

/** What `bare` makes of the expected text; `…` in it stands for anything. */
export function toPattern(expected: string): RegExp {
  const literal = bare(expected).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("…", ".*?")}$`);
}
