import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";

/** The providers' own machine-readable descriptions lie beside the project and are no part of it. */
const FOLDER = "../shared/data/providers";

/** Tests that need the descriptions; where there are none they are left out, and that is said. */
export function describeWithMetadata(name: string, body: () => void): void {
  const isThere = existsSync(FOLDER);
  if (!isThere) console.warn(`LEFT OUT: ${name}. There is no folder ${FOLDER}`);
  describe.skipIf(!isThere)(`held to the official metadata, ${name}`, () => {
    body();
  });
}

export function readMetadata(file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
}
