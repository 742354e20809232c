import { build } from "esbuild";

/** Writes the agent as one file that needs nothing but Node. */
export async function bundleAgent(file: string): Promise<void> {
  await build({
    entryPoints: ["src/agent/main.ts"],
    outfile: file,
    absWorkingDir: new URL("..", import.meta.url).pathname,
    bundle: true,
    format: "esm",
    target: "node20",
    platform: "node",
    legalComments: "inline",
    logLevel: "warning",
  });
}

if (import.meta.main) await bundleAgent("dist/waypost-agent.mjs");
