import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface File {
  status: string;
  tests: string[];
}

function file(status: string, ...tests: string[]): File {
  return { status, tests };
}

function report(success: boolean, files: File[]): string {
  const testResults = files.map(({ status, tests }) => ({
    status,
    assertionResults: tests.map((each) => ({ status: each })),
  }));
  return JSON.stringify({ success, testResults });
}

/** The last line of CI and its exit code, for a report of the test runner. */
function count(text: string): [string, number | null] {
  const folder = mkdtempSync(join(tmpdir(), "waypost-count-"));
  try {
    const path = join(folder, "report.json");
    writeFileSync(path, text);
    const script = join(import.meta.dirname, "../../scripts/count-tests.ts");
    const { stdout, status } = spawnSync(process.execPath, [script, path], { encoding: "utf8" });
    return [stdout.trimEnd().split("\n").at(-1) ?? "", status];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.for([
  [
    "all tests passed",
    report(true, [file("passed", "passed", "passed"), file("passed", "passed")]),
    "3 passed, 0 failed",
    0,
  ],
  ["a test failed", report(false, [file("failed", "passed", "failed")]), "1 passed, 1 failed", 1],
  [
    "tests were left out",
    report(true, [file("passed", "passed", "skipped", "pending", "todo")]),
    "1 passed, 0 failed, 3 skipped",
    0,
  ],
  [
    "a file broke before its tests",
    report(false, [file("failed"), file("passed", "passed")]),
    "1 passed, 1 failed",
    1,
  ],
  [
    "something broke outside every test",
    report(false, [file("passed", "passed")]),
    "1 passed, 1 failed",
    1,
  ],
  ["the run broke before it could report", "", "0 passed, 1 failed", 1],
] as const)("CI's last line is right when %s", ([, text, line, code]) => {
  expect(count(text)).toEqual([line, code]);
});
