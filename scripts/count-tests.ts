import { readFileSync } from "node:fs";

/** The parts of the test runner's JSON report that are read here. */
interface Report {
  success: boolean;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/**
 * Prints `N passed, N failed`, and the skipped ones when there are any. A file that fails before
 * or outside its tests, and a run without any report, count as one failure.
 */
function count(text: string): { passed: number; failed: number; skipped: number } {
  if (text === "") return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(text) as Report;
  const statuses = report.testResults.flatMap((file) => {
    const tests = file.assertionResults.map((each) => each.status);
    return file.status === "failed" && !tests.includes("failed") ? [...tests, "failed"] : tests;
  });
  const passed = statuses.filter((each) => each === "passed").length;
  const failed = statuses.filter((each) => each === "failed").length;
  const outside = failed === 0 && !report.success ? 1 : 0;
  return { passed, failed: failed + outside, skipped: statuses.length - passed - failed };
}

const { passed, failed, skipped } = count(readFileSync(process.argv[2] ?? "", "utf8"));
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;
