import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { keepTickShape } from "./lib/tick-shape.ts";

keepTickShape();

// Type stripping is paid for once: it is half of a start's time and 30 MB of memory.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/waypost"));

const { run } = await import("./run.ts");
await run();
