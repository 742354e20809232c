import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs every `generate-<what>.ts` beside this file. CI fails when what they write differs from what
 * is kept.
 */
const folder = import.meta.dirname;
for (const script of globSync("generate-*.ts", { cwd: folder }).toSorted()) {
  execFileSync(process.execPath, [join(folder, script)], { stdio: "inherit" });
}
