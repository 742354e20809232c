import { build } from "esbuild";

/**
 * Writes the check function as one file for each place it runs in. Names and line breaks stay: who
 * pastes a file into a dashboard should be able to read it.
 */
const places = [
  {
    entry: "src/edge/workers/worker.ts",
    file: "check-function.worker.js",
    platform: "browser",
    // Part of the runtime.
    external: ["cloudflare:sockets"],
  },
  {
    entry: "src/edge/node/main.ts",
    file: "check-function.node.mjs",
    platform: "node",
    external: [],
  },
] as const;

/** @param folder where the files go */
export async function bundleEdge(folder: string): Promise<void> {
  for (const { entry, file, platform, external } of places) {
    await build({
      entryPoints: [entry],
      outfile: `${folder}/${file}`,
      absWorkingDir: new URL("..", import.meta.url).pathname,
      bundle: true,
      format: "esm",
      target: "es2024",
      platform,
      mainFields: ["module", "main"],
      external: [...external],
      legalComments: "inline",
      logLevel: "warning",
      metafile: true,
    });
  }
}

if (import.meta.main) await bundleEdge("dist");
