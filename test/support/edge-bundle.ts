import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleEdge } from "../../scripts/bundle-edge.ts";

/** The folder of a fresh bundle; it goes with the folder of the run. */
export async function bundled(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-edge-"));
  await bundleEdge(folder);
  return folder;
}
