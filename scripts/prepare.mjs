// Runs after `npm ci` and before `npm pack`, by whatever Node there is: builds the web app and the
// agent's one file where the packages that build them are installed. `npm ci --omit=dev` leaves them
// out, and a packed archive brings what is built.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const builds = [
  {
    script: "build:web",
    needs: ["node_modules/vite", "vite.config.ts"],
    makes: "dist/web/index.html",
  },
  {
    script: "build:agent",
    needs: ["node_modules/esbuild", "scripts/bundle-agent.ts"],
    makes: "dist/waypost-agent.mjs",
  },
];

for (const { script, needs, makes } of builds) {
  if (needs.every((path) => existsSync(path))) {
    const { status } = spawnSync("npm", ["run", "--silent", script], { stdio: "inherit" });
    process.exitCode ||= status ?? 1;
  } else if (!existsSync(makes)) {
    console.log(`${makes} is not built: that needs the development packages (npm ci).`);
  }
}
