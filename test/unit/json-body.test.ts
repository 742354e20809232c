import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonBody } from "../../src/server/http/json-body.ts";
import { AppError } from "../../src/server/lib/errors.ts";

function refusalOf(bytes: Uint8Array): AppError | undefined {
  try {
    parseJsonBody(Buffer.from(bytes));
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

test("every JSON text is read as JavaScript reads it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

test("whatever the bytes, the answer is a value or a refusal with a sentence", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const refusal = refusalOf(bytes);
      expect(refusal?.code ?? "invalid_json").toMatch(/^invalid_(json|request)$/);
    }),
  );
});

test("the place that is named is where the text stops being JSON", () => {
  const strange = fc.constantFrom("}", "]", ",", ":", "?", "'", "\u0001");
  fc.assert(
    fc.property(fc.json(), fc.nat(), strange, (text, at, character) => {
      const place = at % (text.length + 1);
      const broken = text.slice(0, place) + character + text.slice(place);
      const found = /unexpected .+ at line (\d+), column (\d+)$/.exec(
        refusalOf(Buffer.from(broken))?.message ?? "",
      );
      if (!found) return;
      const offset = Number(found[2]) - 1;
      // Everything before it can still become JSON; with it, nothing can.
      expect(offset).toBeGreaterThanOrEqual(place);
      expect(whatIsSaidOf(broken.slice(0, offset))).not.toContain("unexpected");
      expect(whatIsSaidOf(broken.slice(0, offset + 1))).toContain("unexpected");
    }),
  );
});

function whatIsSaidOf(text: string): string {
  return refusalOf(Buffer.from(text))?.message ?? "";
}

test("no string with NUL or half a surrogate pair comes through, wherever it stands", () => {
  const bad = fc.constantFrom("\0", "a\0", "\ud800", "\udc00x", "\udfff\ud800");
  const inside = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      bad,
      fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
      fc.dictionary(fc.string(), tie("value"), { minKeys: 1, maxKeys: 3 }),
      fc.tuple(bad, fc.jsonValue()).map(([key, value]) => ({ [key]: value })),
    ),
  })).value;
  fc.assert(
    fc.property(inside, (value) => {
      const refusal = refusalOf(Buffer.from(JSON.stringify(value)));
      expect(refusal?.code).toBe("invalid_request");
      expect(refusal?.fields).toHaveLength(1);
      expect(refusal?.fields?.[0]?.path.isWellFormed()).toBe(true);
    }),
  );
});
