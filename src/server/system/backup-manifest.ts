import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

/** The names of files in a backup; the first one stands in front and describes the others. */
export const MANIFEST = "manifest.json";
export const DATABASE = "waypost.db";

const FORMAT = 1;

const Part = Type.Object({
  name: Type.String({ pattern: "^[a-z][a-z.-]{0,63}$" }),
  size_bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type BackupPart = Static<typeof Part>;

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** Of the program that made it. */
  version: Type.String(),
  /** When, in ISO 8601. */
  at: Type.String(),
  /** The migrations that have been applied. */
  schema: Type.Array(Type.String()),
  /** Of the keys that have sealed credentials in it. */
  key_ids: Type.Array(Type.String()),
  parts: Type.Array(Part, { minItems: 1 }),
});
export type BackupManifest = Static<typeof Manifest>;

const compiled = Compile(Manifest);

export function newManifest(of: Omit<BackupManifest, "format">): BackupManifest {
  return { format: FORMAT, ...of };
}

/** Undefined when it is none that this program knows. */
export function parseManifest(text: string): BackupManifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return compiled.Check(value) ? value : undefined;
}
