import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const WEB = join(import.meta.dirname, "../../../src/web");

test("every form is sent by the one button that no error moves away under the pointer", () => {
  const sources = globSync("**/*.tsx", { cwd: WEB }).map((file) => ({
    file,
    text: readFileSync(join(WEB, file), "utf8"),
  }));
  const filesWith = (part: string): string[] =>
    sources.filter(({ text }) => text.includes(part)).map(({ file }) => file);
  expect(filesWith('type="submit"')).toEqual(["components/submit-button.tsx"]);
  const forms = filesWith("<form");
  expect(forms.length).toBeGreaterThan(10);
  expect(filesWith("<SubmitButton")).toEqual(expect.arrayContaining(forms));
});
