import { execFileSync } from "node:child_process";

/** Writes every file that is made from others. CI fails when the result differs from what is kept. */
const steps = ["generate-configuration.ts", "generate-schema.ts"];

for (const step of steps) {
  execFileSync(process.execPath, [`${import.meta.dirname}/${step}`], { stdio: "inherit" });
}
