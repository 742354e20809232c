#!/usr/bin/env node
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const source = new URL("../src/server/cli.ts", import.meta.url);
const compiled = new URL("../dist/server/cli.js", import.meta.url);

if (major < 24 || (major === 24 && minor < 19)) {
  console.error(`Waypost needs Node 24.19 or newer; this is ${process.versions.node}`);
  process.exitCode = 1;
} else {
  // A package holds what is compiled; only where the sources are, they run.
  await import(existsSync(source) ? source : compiled);
}
