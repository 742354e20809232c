import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files of more than half a minute, those that wait beside those that compute: begun first, none of
 * them is left alone at the end of a run.
 */
const LONGEST = [
  "lab/soak",
  "api/openapi-fuzz",
  "lab/engine-servers",
  "web/administration",
  "engine/outage-stop",
  "engine/callbacks-kill",
  "engine/outage-silence",
  "web/accounts",
  "lab/diagnosis",
  "engine/kill",
  "engine/outage-network",
  "web/public",
  "engine/outage-postgres",
  "engine/backup",
  "api/accounts-limits",
  "engine/demo",
  "web/my-nodes",
  "engine/instances",
  "api/faults-start",
].map((name) => join("test", `${name}.test.ts`));

/** Short enough to fill the end. */
const SHORTEST = join("test", "unit") + sep;

/**
 * The longest files first; then those of all folders evenly mixed, because some folders wait and
 * some compute; the pure parts last.
 */
export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const gone = LONGEST.find((name) => !existsSync(join(root, name)));
    if (gone) throw new Error(`the order of the tests names ${gone}, which is not there`);
    const sorted = await super.sort(files);
    const places = toPlaces(sorted.map((file) => relative(root, file.moduleId)));
    return sorted
      .map((file, n) => ({ file, place: places[n] ?? 0 }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ file }) => file);
  }
}

/** Below 0 for the longest, from 0 to 1 by the place in its folder, above 1 for the shortest. */
function toPlaces(names: readonly string[]): number[] {
  const seen = new Map<string, number>();
  const countIn = (folder: string) => names.filter((each) => folderOf(each) === folder).length;
  return names.map((name) => {
    const longest = LONGEST.indexOf(name);
    if (longest >= 0) return longest - LONGEST.length;
    const folder = folderOf(name);
    const before = seen.get(folder) ?? 0;
    seen.set(folder, before + 1);
    return (before + 0.5) / countIn(folder) + (name.startsWith(SHORTEST) ? 1 : 0);
  });
}

function folderOf(name: string): string {
  return name.split(sep)[1] ?? "";
}
