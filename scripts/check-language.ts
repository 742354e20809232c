import { globSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { findProblems } from "./language.ts";

const NOT_OURS = ["node_modules", ".git", "dist", "data", "coverage", ".cache", "fixtures"];

/** The text files of the project, as far as people write them. */
function listFiles(): string[] {
  const files = globSync("**/*", { exclude: (path) => NOT_OURS.includes(basename(path)) });
  const hidden = globSync([".ci/*", ".github/**/*", ".*.json", ".npmrc", ".gitignore"]);
  return [...files, ...hidden].filter((path) => statSync(path).isFile());
}

const problems = listFiles().flatMap((path) => findProblems(path, readFileSync(path, "utf8")));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
