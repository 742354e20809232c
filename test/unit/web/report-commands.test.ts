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

test("the file of variables of the unit says the name of the node as it is", () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .map((text) => text.replaceAll(/\p{Cc}/gu, "").toWellFormed());
  fc.assert(
    fc.property(name, (nodeName) => {
      const script = systemdScript({
        origin: "https://nodes.example.com",
        email: "me@example.com",
        nodeName,
        token: "wpr_x",
      });
      const [, variables] = /agent\.env <<'END'\n(.*?)\nEND\n/s.exec(script) ?? [];
      const read = `${variables}\nprintf %s "$WAYPOST_NODE"`;
      expect(execFileSync("/bin/sh", ["-c", read], { encoding: "utf8" })).toBe(nodeName);
    }),
    { numRuns: 50, examples: [[String.raw`50% "a\b" $HOME \`id\``]] },
  );
});
