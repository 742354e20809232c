import { writeFile } from "node:fs/promises";
import { describeApi } from "../src/server/commands/openapi.ts";

/** Writes docs/openapi.json as the service itself answers it. */
await writeFile("docs/openapi.json", `${await describeApi()}\n`);
