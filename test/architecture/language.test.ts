import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findProblems } from "../../scripts/language.ts";

function fixture(name: string): string[] {
  const text = readFileSync(new URL(`fixtures/language/${name}`, import.meta.url), "utf8");
  return text.trimEnd().split("\n");
}

describe("the rules about what the files say", () => {
  test.for(fixture("planted.txt"))("object to %s", (line) => {
    expect(findProblems("src/file.ts", `first\n${line}\n`)).toEqual([
      expect.stringMatching(/^src\/file\.ts:2 \w/),
    ]);
  });

  test.for(fixture("clean.txt"))("let %s pass", (line) => {
    expect(findProblems("src/file.ts", line)).toEqual([]);
  });

  test.for(["src/server/utils.ts", "src/web/lib/date-helpers.ts", "src/shared/common.ts"])(
    "object to the name %s",
    (path) => {
      expect(findProblems(path, "")).toEqual([`${path}:1 has a name that says nothing`]);
    },
  );

  test("let the wire contract's common vocabulary pass", () => {
    expect(findProblems("src/shared/api/common.ts", "")).toEqual([]);
  });
});
