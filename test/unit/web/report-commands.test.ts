import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord, systemdScript } from "../../../src/web/my-nodes/report-commands.ts";

test("a word arrives in a program as it was, whatever a shell thinks of its letters", () => {
  const nasty = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), {
    minLength: 20,
    maxLength: 20,
  });
  fc.assert(
    fc.property(nasty, (texts) => {
      const words = texts.map((text) => text.replaceAll("\0", "").toWellFormed());
      const script = `for word in ${words.map(shellWord).join(" ")}; do printf '%s\\0' "$word"; done`;
      const printed = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
      expect(printed.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 20 },
  );
});

test("a unit's variables keep quotes, backslashes and per cents", () => {
  const script = systemdScript({
    origin: "https://nodes.example.com",
    email: "me@example.com",
    nodeName: String.raw`50% "a\b" $HOME`,
    token: "wpr_x",
  });
  expect(script).toContain(String.raw`Environment="WAYPOST_NODE=50%% \"a\\b\" $HOME"`);
});
