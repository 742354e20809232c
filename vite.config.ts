import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import mantine from "postcss-preset-mantine";
import simpleVars from "postcss-simple-vars";
import { defineConfig, type Plugin } from "vite";
import { webChunks } from "./scripts/web-chunks.ts";
import { NONCE_PLACE } from "./src/server/http/web-files.ts";

const SMALLEST_WORTH_COMPRESSING = 512;

/** Puts a .br and a .gz beside each asset that gets smaller by it. */
const precompress: Plugin = {
  name: "precompress",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const source = file.type === "chunk" ? file.code : file.source;
        const bytes = Buffer.from(source);
        if (!file.fileName.startsWith("assets/") || bytes.length < SMALLEST_WORTH_COMPRESSING) {
          continue;
        }
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        const { fileName } = file;
        this.emitFile({
          type: "asset",
          fileName: `${fileName}.br`,
          source: brotliCompressSync(bytes, { params }),
        });
        this.emitFile({
          type: "asset",
          fileName: `${fileName}.gz`,
          source: gzipSync(bytes, { level: 9 }),
        });
      }
    },
  },
};

/** The web app: built into dist/web; `npm run dev:web` shows it while it is worked on. */
export default defineConfig({
  root: "src/web",
  base: "/",
  plugins: [react(), precompress],
  css: {
    postcss: { plugins: [mantine(), simpleVars({ variables: { wide: "62em", medium: "48em" } })] },
  },
  html: { cspNonce: NONCE_PLACE },
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The wire contract is built by these; of it the app uses types and a few lists.
      treeshake: { manualPureFunctions: ["Type"] },
      output: {
        codeSplitting: {
          groups: [{ name: webChunks(), debugName: "web" }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/docs", "/healthz", "/readyz"].map((path) => [
        path,
        process.env["WAYPOST_URL"] ?? "http://127.0.0.1:8080",
      ]),
    ),
  },
});
