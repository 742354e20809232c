/** Compiles the programs into `dist`, for a package: Node runs sources everywhere but in packages. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

for (const part of ["agent", "probe", "server", "shared"]) {
  rmSync(join(root, "dist", part), { recursive: true, force: true });
}
execFileSync("tsc", ["-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
