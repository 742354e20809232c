import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { builtWebApp } from "../support/web-app.ts";

/** Of scripts and styles together, as they are sent by gzip. */
const MOST_BYTES = 180_000;
/** That a browser asks for; the answers of the API come on top. */
const MOST_FILES = 18;
const SMALLEST_COMPRESSED = 512;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

let folder: string;
let chunks: Record<string, Chunk>;
beforeAll(async () => {
  folder = await builtWebApp();
  const manifest = await readFile(join(folder, ".vite/manifest.json"), "utf8");
  chunks = JSON.parse(manifest) as Record<string, Chunk>;
}, 60_000);

/** The files of a chunk with all that it imports at once. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks[name];
  if (!chunk) throw new Error(`The build has no ${name}`);
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const each of chunk.imports ?? []) filesOf(each, seen);
  return seen;
}

async function weightOf(names: readonly string[]): Promise<{ bytes: number; count: number }> {
  const files = new Set(names.flatMap((name) => [...filesOf(name)]));
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await readFile(join(folder, file))).length;
  return { bytes, count: files.size };
}

test.each(["status/status-page.tsx", "status/node-page.tsx", "find/find-page.tsx"])(
  "%s loads no more than 180 kB in few files, in either language",
  async (page) => {
    const feature = page.startsWith("find") ? "find" : "status";
    for (const language of ["en", "zh-CN"]) {
      const words = ["phrases", "errors", "shell", feature].map(
        (each) => `locales/${language}/${each}.ts`,
      );
      const { bytes, count } = await weightOf(["index.html", page, ...words]);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
      expect(count).toBeLessThanOrEqual(MOST_FILES);
    }
  },
);

test("the Chinese of the service's own sentences is loaded by no page at once", () => {
  const name = Object.keys(chunks).find((each) => each.endsWith("said/catalogue.ts"));
  const { file } = chunks[name ?? ""] ?? {};
  expect(file).toMatch(/catalogue/);
  const pages = Object.keys(chunks).filter((each) => each.endsWith("-page.tsx"));
  expect(pages.length).toBeGreaterThan(20);
  for (const each of ["index.html", ...pages]) expect(filesOf(each)).not.toContain(file);
});

test("what is sent compressed lies beside every script and style", async () => {
  for (const file of filesOf("index.html")) {
    // A smaller one gains nothing.
    if ((await readFile(join(folder, file))).length < SMALLEST_COMPRESSED) continue;
    for (const coding of ["br", "gz"]) {
      await expect(readFile(join(folder, `${file}.${coding}`))).resolves.toBeDefined();
    }
  }
});
