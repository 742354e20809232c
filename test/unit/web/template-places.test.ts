import { describe, expect, test } from "vitest";
import {
  compileWebhook,
  renderWebhook,
} from "../../../src/server/callbacks/actions/webhook-request.ts";
import { compileTemplate } from "../../../src/server/callbacks/template.ts";
import { sampleValues } from "../../../src/server/callbacks/template-values.ts";
import { bodyPlace, positionOf } from "../../../src/web/callbacks/template-places.ts";

const bodies = [
  '{"a": "{{ rule_name }}"}',
  '["{{ rule_name }}"]',
  "{{ rule_name }}",
  "name={{ rule_name }}",
];
const headers = [
  "",
  "X-Other: application/json",
  "Content-Type: application/json",
  "X-A: b\ncontent-type: application/problem+json; charset=utf-8",
  "Content-Type: application/x-www-form-urlencoded",
  "Content-Type: text/plain",
];

describe("the preview of a template", () => {
  test.each(headers.flatMap((header) => bodies.map((body) => [header, body] as const)))(
    "escapes as the service does: %j, %j",
    (header, body) => {
      const [sample] = sampleValues();
      if (!sample) throw new Error("there are no sample values");
      const values = { ...sample, rule_name: 'a "b" & \\c' };
      const place = bodyPlace(header, body);
      const sent = () => {
        const config = { url: "http://a", headers: header, body_template: body };
        return renderWebhook({ method: "POST" }, compileWebhook(config), values).body;
      };
      const shown = () => compileTemplate(body, place).render(values);
      expect(attempt(shown)).toEqual(attempt(sent));
    },
  );

  test.each([
    ['{\n  "a": "{{ public_adress }}"\n}', { line: 2, column: 9 }],
    ["{{public_adress}}", { line: 1, column: 1 }],
    ["x #{adress}", { line: 1, column: 3 }],
    ['{"a": {{ rule_name }} }', { line: 1, column: 7 }],
  ])("says where %j is wrong", (template, position) => {
    const message = attempt(() => {
      compileTemplate(template, "json");
      return undefined;
    });
    expect(message).toBeTypeOf("string");
    expect(positionOf(template, message ?? "")).toEqual(position);
  });

  test("leaves a position of the JSON itself to the message", () => {
    expect(positionOf("{", "The body is not JSON after substitution: Expected property")).toBe(
      undefined,
    );
  });
});

/** What came of it, or the message of why nothing did. */
function attempt(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch (error) {
    return (error as Error).message.replace(/^.*?body_template:? ?/, "");
  }
}
