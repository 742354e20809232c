import { Type, type TSchema } from "typebox";
import { expect, test } from "vitest";
import { serializerCompiler } from "../../src/server/http/serializer.ts";

function write(schema: TSchema, value: unknown): unknown {
  const route = { schema, method: "GET", url: "/x", httpStatus: "200" };
  return JSON.parse(serializerCompiler(route)(value));
}

const Address = Type.Object({ ip: Type.String(), port: Type.Integer() });

test.each<[string, TSchema, unknown, unknown]>([
  [
    "a field that is not named is left out",
    Address,
    { ip: "a", port: 1, secret: 2 },
    { ip: "a", port: 1 },
  ],
  [
    "in lists, too",
    Type.Object({ all: Type.Array(Address) }),
    { all: [{ ip: "a", port: 1, secret: 2 }], more: 1 },
    { all: [{ ip: "a", port: 1 }] },
  ],
  [
    "and where there may be null instead",
    Type.Object({
      one: Type.Union([Address, Type.Null()]),
      none: Type.Union([Address, Type.Null()]),
    }),
    { one: { ip: "a", port: 1, secret: 2 }, none: null },
    { one: { ip: "a", port: 1 }, none: null },
  ],
  ["what may be absent is", Type.Object({ a: Type.Optional(Type.String()) }), { a: undefined }, {}],
  [
    "plain alternatives are as they are",
    Type.Object({ relay: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
    { relay: 1 },
    { relay: 1 },
  ],
  [
    "a dictionary is as it is",
    Type.Object({ details: Type.Record(Type.String(), Type.Unknown()) }),
    { details: { a: [1, { b: null }] } },
    { details: { a: [1, { b: null }] } },
  ],
  ["a list of plain values", Type.Array(Type.String()), ["a"], ["a"]],
])("%s", (_, schema, value, written) => {
  expect(write(schema, value)).toEqual(written);
});

test("an answer that lacks a field is a defect", () => {
  expect(() => write(Type.Object({ all: Type.Array(Address) }), { all: [{ ip: "a" }] })).toThrow(
    "the answer lacks GET /x.all[].port",
  );
});

const Online = Type.Object({ up: Type.Literal(true), ms: Type.Integer() });
const Offline = Type.Object({ up: Type.Literal(false), error: Type.String() });

test("one of several objects is told from another by a constant", () => {
  const either = Type.Array(Type.Union([Online, Offline]));
  expect(
    write(either, [
      { up: false, error: "why", ms: -1 },
      { up: true, ms: 3, error: "none" },
    ]),
  ).toEqual([
    { up: false, error: "why" },
    { up: true, ms: 3 },
  ]);
  expect(() => write(either, [{ up: "maybe" }])).toThrow("GET /x[] is none of the objects");
  expect(() => write(either, [{ up: true }])).toThrow("the answer lacks GET /x[].ms");
});

test("one of several objects cannot be told from another without", () => {
  const either = Type.Union([Address, Type.Object({ name: Type.String() })]);
  expect(() => write(either, {})).toThrow("GET /x may be one of several objects");
});
