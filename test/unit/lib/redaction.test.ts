import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCredentialName, REDACTED, Redactor } from "../../../src/server/lib/redaction.ts";
import { KEPT_CHARACTERS, toStageRecord } from "../../../src/server/lib/stage-record.ts";

const SECRET = "s3cr+t/w\"ö&d's=";

const forms: Record<string, string> = {
  raw: SECRET,
  "URL-encoded": encodeURIComponent(SECRET),
  "URL-encoded in small letters": encodeURIComponent(SECRET).toLowerCase(),
  "a form field": new URLSearchParams({ a: SECRET }).toString(),
  "JSON-escaped": JSON.stringify({ a: SECRET }),
  "JSON in ASCII": JSON.stringify(SECRET).replace("ö", "\\u00f6"),
  "JSON with escaped slashes": JSON.stringify(SECRET).replaceAll("/", "\\/"),
  Base64: Buffer.from(SECRET).toString("base64"),
  "Base64 for URLs": Buffer.from(SECRET).toString("base64url"),
  "Base64 behind a user's name": Buffer.from(`user:${SECRET}`).toString("base64"),
  "Base64 in the midst of others": Buffer.from(`{"key":"${SECRET}","a":1}`).toString("base64"),
};

describe("the redactor", () => {
  const redactor = new Redactor([SECRET]);

  test.each(Object.keys(forms))("finds a secret that is %s", (form) => {
    expect(redactor.text(`before ${forms[form]} after`)).toContain(REDACTED);
    expect(redactor.text(`before ${forms[form]} after`)).not.toContain("s3cr");
  });

  test("leaves no decodable trace of a secret in Base64, wherever it stands in the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = Buffer.from(`${before}${SECRET}${after}`).toString("base64");
        const left = redactor.text(text);
        expect(left).toContain(REDACTED);
        expect(Buffer.from(left.replace(REDACTED, ""), "base64").toString()).not.toContain(SECRET);
      }),
    );
  });

  test("removes the longer one of two secrets of which one begins like the other", () => {
    expect(new Redactor(["token", "token-with-more"]).text("token-with-more")).toBe(REDACTED);
  });

  test("leaves a text without secrets as it is, and knows no secret of three characters", () => {
    expect(redactor.text("nothing here")).toBe("nothing here");
    expect(new Redactor(["abc", ""]).text("abcdef")).toBe("abcdef");
  });

  test("hides the values of headers that are named like credentials", () => {
    const shown = redactor.headers({
      authorization: "Bearer other",
      "X-Auth-Email": "a@b",
      "content-type": "text/plain",
      "set-cookie": "a=b",
      "x-note": `it is ${SECRET}`,
      "www-authenticate": 'Basic realm="here"',
    });
    expect(shown).toEqual({
      authorization: REDACTED,
      "X-Auth-Email": REDACTED,
      "content-type": "text/plain",
      "set-cookie": REDACTED,
      "x-note": `it is ${REDACTED}`,
      "www-authenticate": 'Basic realm="here"',
    });
  });

  test("hides the values of query keys that are named like credentials", () => {
    expect(redactor.url("https://a/b?access_token=x%20y&name=z&Key=1#f")).toBe(
      `https://a/b?access_token=${REDACTED}&name=z&Key=${REDACTED}#f`,
    );
  });

  test.each(["token", "X-API-Key", "secret_id", "Cookie", "passwd", "sign", "sessionId"])(
    "takes %s for the name of a credential",
    (name) => {
      expect(isCredentialName(name)).toBe(true);
    },
  );
});

function answer(body: Buffer | string) {
  return { status: 200, headers: {}, body: Buffer.from(body), truncated: false };
}

describe("the record of a stage", () => {
  const request = {
    stage: "write" as const,
    method: "POST",
    url: new URL("https://a.example/hook?token=in-the-query"),
    headers: { Authorization: "Bearer in-a-header", "content-type": "text/plain" },
    body: "the body says top-secret",
  };

  test("shows no credential that the target sends back", () => {
    const body = "you sent in-a-header, in-the-query and top-secret";
    const record = toStageRecord(new Redactor(["top-secret"]), request, answer(body), 5);
    expect(JSON.stringify(record)).not.toMatch(/in-a-header|in-the-query|top-secret/);
    expect(record).toMatchObject({ method: "POST", status: 200, truncated: false, duration_ms: 5 });
    expect(record.response_body).toBe(`you sent ${REDACTED}, ${REDACTED} and ${REDACTED}`);
  });

  test("leaves no half of a secret where the body is cut", () => {
    const body = `${"x".repeat(KEPT_CHARACTERS - 4)}top-secret and more`;
    const record = toStageRecord(new Redactor(["top-secret"]), request, answer(body), 5);
    expect(record.response_body).toHaveLength(KEPT_CHARACTERS);
    expect(record.response_body?.slice(-8)).toBe("xxxx[red");
    expect(record.truncated).toBe(true);
  });

  test("holds text that both databases can store", () => {
    const record = toStageRecord(
      new Redactor([]),
      request,
      answer(Buffer.from([0x61, 0, 0xff, 0xc3])),
      5,
    );
    expect(record.response_body).toBe("a\ufffd\ufffd\ufffd");
  });

  test("has nothing about an answer when none came", () => {
    const record = toStageRecord(new Redactor([]), { ...request, body: undefined }, undefined, 7);
    expect(record).toMatchObject({ status: null, response_headers: null, response_body: null });
    expect(record).toMatchObject({ request_body: null, truncated: false, duration_ms: 7 });
  });
});
