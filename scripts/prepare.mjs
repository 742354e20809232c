// Runs after `npm ci` and before `npm pack`, by whatever Node there is: builds the web app where
// the packages that build it are installed. `npm ci --omit=dev` leaves them out, and a packed
// archive brings the built app.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

if (existsSync("node_modules/vite") && existsSync("vite.config.ts")) {
  const { status } = spawnSync("npm", ["run", "--silent", "build:web"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else if (!existsSync("dist/web/index.html")) {
  console.log("The web app is not built: that needs the development packages (npm ci).");
}
