import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const FIXTURES = "test/architecture/fixtures";

interface Report {
  diagnostics: { code?: string; filename: string; labels: { span: { line: number } }[] }[];
}

/** What the linter says about the fixtures, as `file:line rule`. */
function reported(): string[] {
  const { stdout, stderr } = spawnSync("oxlint", ["--format=json", FIXTURES], {
    encoding: "utf8",
    maxBuffer: 50_000_000,
  });
  if (!stdout.startsWith("{")) throw new Error(`The linter did not run: ${stdout}${stderr}`);
  const report = JSON.parse(stdout) as Report;
  return report.diagnostics.map(
    ({ filename, labels, code }) =>
      `${filename}:${labels[0]?.span.line} ${code ?? "unused-directive"}`,
  );
}

/** What the marks in the fixtures ask for. */
function planted(): string[] {
  const files = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const path = join(FIXTURES, file);
      return readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line, index) => rulesOf(line).map((rule) => `${path}:${index + 1} ${rule}`));
    });
}

function rulesOf(line: string): string[] {
  const [, rules = ""] = / breaks (.+)$/.exec(line) ?? [];
  return rules.split(" ").filter((each) => each !== "");
}

/** The rules that `.oxlintrc.json` turns on by name, as the linter prints them. */
function namedRules(): string[] {
  const lines = readFileSync(".oxlintrc.json", "utf8").split("\n");
  return lines.flatMap((line) => {
    const [, rule] = /^\s*"([a-z/-]+)": (?:\[\s*)?"error"/.exec(line) ?? [];
    if (!rule || rule === "reportUnusedDisableDirectives") return [];
    const [plugin, name] = rule.includes("/") ? rule.split("/") : ["eslint", rule];
    return [`${plugin}(${name})`];
  });
}

describe("the linter", () => {
  const found = reported();

  test("reports every planted violation and nothing else in the fixtures", () => {
    const marks = planted();
    expect(marks.length).toBeGreaterThan(100);
    expect(marks.filter((mark) => mark.includes(".tsx:")).length).toBeGreaterThan(20);
    expect([...new Set(found)].toSorted()).toEqual([...new Set(marks)].toSorted());
  });

  test("has a planted violation for every rule that is turned on by name", () => {
    const caught = new Set(found.map((each) => each.split(" ")[1]));
    const rules = namedRules();
    expect(rules).toContain("house(directions)");
    expect(rules.filter((rule) => !caught.has(rule))).toEqual([]);
  });
});
