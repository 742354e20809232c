import { extname } from "node:path";

/**
 * The module `name` (`./thread`, without an extension) beside the one at `from`: a source when that
 * runs unbuilt, compiled when that is.
 */
export function moduleBeside(name: string, from: string): URL {
  return new URL(name + extname(new URL(from).pathname), from);
}
