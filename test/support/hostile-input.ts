import fc from "fast-check";
import { bodySchemaOf, type JsonSchema, type Operation, type Parameter } from "./openapi.ts";

/** A request, as far as it follows from the description of an operation. */
export interface FuzzedRequest {
  path: string;
  /** The body's text; undefined for none. */
  raw: string | undefined;
}

/** Values that the service knows, by the name of the field they belong in. */
export type KnownValues = Readonly<Record<string, unknown>>;

const sql = [
  "'; drop table nodes; --",
  "' or '1'='1",
  '"; delete from users where 1=1; --',
  "1)--",
];

const words = [
  ...sql,
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud83d",
  "\u202etxt",
  "🟢".repeat(100),
  "x".repeat(10_000),
  "NaN",
  "Infinity",
  "-0",
  "1e400",
  "null",
  "true",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "#{7*7}",
  "%00",
  "2026-02-30",
  "a@b",
];

const numbers = [0, -0, -1, 1, 0.1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, 1e21];

const hostileWord = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary" }));
const hostileNumber = fc.oneof(fc.constantFrom(...numbers), fc.double({ noNaN: true }));
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileWord,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1e9 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Keys that mean something to JavaScript; written as text, since `__proto__` is no plain key. */
const strangeMembers = fc.constantFrom(
  "",
  '"__proto__":{"is_admin":true,"limit":0}',
  '"constructor":{"prototype":{"is_admin":true}}',
  '"\\u0000":1',
  '"\\ud800":"\\udc00"',
  '"huge":1e400',
  `"deep":${"[".repeat(2_000)}${"]".repeat(2_000)}`,
);

const brokenTexts = fc.constantFrom(
  "",
  " ",
  "null",
  "[]",
  "1",
  '"text"',
  "{",
  "{}}",
  '{"a":}',
  "[".repeat(60_000),
  "\ufeff{}",
);

/** Requests from quite right to quite wrong for an operation. */
export function requestsFor(operation: Operation, known: KnownValues): fc.Arbitrary<FuzzedRequest> {
  const schema = bodySchemaOf(operation);
  return fc.record({
    path: pathsFor(operation, known),
    raw: schema ? bodiesFor(schema, known) : fc.constant(undefined),
  });
}

function pathsFor({ path, parameters = [] }: Operation, known: KnownValues): fc.Arbitrary<string> {
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  return fc
    .tuple(
      fc.tuple(...inPath.map((each) => segmentFor(each, known))),
      fc.tuple(...inQuery.map((each) => termsFor(each, known))),
      fc.constantFrom("", "", "", "unknown=1", "__proto__=1", "%00=%ff"),
    )
    .map(([segments, terms, strange]) => {
      let filled = path;
      for (const [at, { name }] of inPath.entries()) {
        filled = filled.replace(`{${name}}`, segments[at] ?? "");
      }
      const query = [...terms.flat(), strange].filter((each) => each !== "").join("&");
      return query === "" ? filled : `${filled}?${query}`;
    });
}

function segmentFor({ name }: Parameter, known: KnownValues): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(String(known[name])) },
    { weight: 1, arbitrary: fc.constantFrom("0", "-1", "1.5", "01", "9007199254740993", "1e3") },
    { weight: 1, arbitrary: fc.constantFrom("9".repeat(400), "%00", "%ED%A0%80", "%c0%af", "NaN") },
    { weight: 1, arbitrary: hostileWord.map(encode) },
  );
}

function termsFor({ name, schema }: Parameter, known: KnownValues): fc.Arbitrary<string[]> {
  const right = rightValue(schema, known, name).map((value) => [
    `${name}=${encode(String(value))}`,
  ]);
  return fc.oneof(
    { weight: 3, arbitrary: right },
    { weight: 2, arbitrary: hostileWord.map((word) => [`${name}=${encode(word)}`]) },
    { weight: 1, arbitrary: hostileNumber.map((number) => [`${name}=${number}`]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<string[]>([], [name], [`${name}=1`, `${name}=2`], [`${name}[]=1`]),
    },
  );
}

/** As far as a URL can hold it. */
function encode(word: string): string {
  return encodeURIComponent(word.toWellFormed()) || "%20";
}

function bodiesFor(schema: JsonSchema, known: KnownValues): fc.Arbitrary<string | undefined> {
  const right = rightValue(schema, known, "");
  const wrong = fc
    .tuple(right, fc.dictionary(fc.constantFrom(...namesOf(schema)), hostileValue, { maxKeys: 3 }))
    .map(([value, faults]) => Object.assign({}, value, faults));
  const lacking = fc
    .tuple(right, fc.constantFrom(...namesOf(schema)))
    .map(([value, name]) => Object.assign({}, value, { [name]: undefined }));
  const whole = fc
    .tuple(fc.oneof(right, { weight: 3, arbitrary: wrong }, lacking), strangeMembers)
    .map(([value, strange]) => withMembers(JSON.stringify(value), strange));
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: brokenTexts },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

function withMembers(text: string, members: string): string {
  if (members === "") return text;
  return text === "{}" ? `{${members}}` : `${text.slice(0, -1)},${members}}`;
}

function namesOf(schema: JsonSchema): string[] {
  return ["no_such_field", ...Object.keys(schema.properties ?? {})];
}

/** A value that the schema allows; sometimes one that the service knows. */
function rightValue(schema: JsonSchema, known: KnownValues, name: string): fc.Arbitrary<unknown> {
  const made = madeValue(schema, known);
  if (!Object.hasOwn(known, name)) return made;
  return fc.oneof({ weight: 3, arbitrary: fc.constant(known[name]) }, made);
}

function madeValue(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => madeValue(each, known)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return madeObject(schema, known);
    case "array":
      return fc.array(madeValue(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case "integer":
      return fc.integer({
        min: schema.minimum ?? -1_000,
        max: Math.min(schema.maximum ?? 2 ** 31 - 1, 2 ** 31 - 1),
      });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return madeText(schema);
  }
}

function madeText({ pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern) return fc.stringMatching(new RegExp(pattern.replace(/\(\?![^)]*\)/g, "")));
  return fc.string({ minLength, maxLength: Math.min(maxLength, 40) });
}

function madeObject(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, rightValue(property, known, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
}
