import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { ManualClock } from "./manual-clock.ts";
import { startTestService, type TestService, type TestServiceOptions } from "./service.ts";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/waypost-web");
const KEPT = 4;
const LOOK_AGAIN_MS = 100;
const LONGEST_BUILD_MS = 50_000;
const run = promisify(execFile);

/** The web app as the sources say now, built once for each state of theirs. @returns its folder */
export async function builtWebApp(): Promise<string> {
  const folder = join(CACHE, stateOfSources());
  await mkdir(CACHE, { recursive: true });
  const turn = `${folder}.turn`;
  while (!isThere(folder)) {
    if (await takeTurn(turn)) {
      try {
        await build(folder);
      } finally {
        await rm(turn, { recursive: true, force: true });
      }
    } else {
      // Another process builds the same.
      await setTimeout(LOOK_AGAIN_MS);
    }
  }
  return folder;
}

async function build(folder: string): Promise<void> {
  const own = `${folder}.${process.pid}`;
  // As it is built for use, not as the test's own environment would have it.
  const env = { ...process.env, NODE_ENV: "production" };
  await run("vite", ["build", "--logLevel", "warn", "--outDir", own], { cwd: ROOT, env });
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
  await forgetOldest();
}

/** @returns whether it is ours; that of a process that has died is taken over after a while */
async function takeTurn(turn: string): Promise<boolean> {
  const taken = statSync(turn, { throwIfNoEntry: false });
  if (taken && Date.now() - taken.mtimeMs > LONGEST_BUILD_MS) {
    await rm(turn, { recursive: true, force: true });
  }
  try {
    await mkdir(turn);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** A real service with the built app, whose clock starts as the browser's does. */
export async function startWebService(options: TestServiceOptions = {}): Promise<TestService> {
  const webFolder = await builtWebApp();
  const clock = options.clock ?? new ManualClock(Date.now());
  return startTestService({ ...options, clock, http: { ...options.http, webFolder } });
}

function stateOfSources(): string {
  const hash = createHash("sha256");
  const patterns = [
    "src/{web,shared}/**/*.{ts,tsx,css,html,svg}",
    "{vite.config,scripts/web-chunks}.ts",
    "test/support/web-app.ts",
    "package-lock.json",
  ];
  for (const file of globSync(patterns, { cwd: ROOT }).toSorted()) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(ROOT, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}

async function forgetOldest(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const builds = (await readdir(CACHE)).flatMap((name) => {
    const found = statSync(join(CACHE, name), { throwIfNoEntry: false });
    return found && !name.includes(".") ? [{ name, at: found.mtimeMs }] : [];
  });
  const old = builds.toSorted((a, b) => b.at - a.at).slice(KEPT);
  await Promise.all(old.map(({ name }) => rm(join(CACHE, name), { recursive: true, force: true })));
}
