import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { readBlocks, type Block, type Stop } from "./walked-document.ts";

/** Of the project. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** All that is written in Markdown, by its path from the root. */
export function listDocuments(): string[] {
  const folders = "{bench,demo,docs,lab,packaging,scripts,soak,src,test}/**/*.md";
  return globSync(["*.md", folders], { cwd: root }).toSorted();
}

/** @param path from the root */
export function readDocument(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/**
 * The block of a document that begins so.
 * @throws Error unless there is exactly one
 */
export function blockOf(path: string, beginning: string): Block {
  const found = readBlocks(readDocument(path)).filter(({ text }) => text.startsWith(beginning));
  const [block] = found;
  if (block && found.length === 1) return block;
  throw new Error(`${path} has ${found.length} blocks that begin with ${beginning}`);
}

/** The commands of such a block, and what it says that they print. */
export function stopOf(path: string, beginning: string): Stop {
  const { heading, text, printed } = blockOf(path, beginning);
  return { heading, commands: text, expected: printed };
}
