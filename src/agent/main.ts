import { agentProcess } from "./process.ts";

const OLDEST_NODE = 20;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}`);
  process.exitCode = 1;
} else {
  process.exitCode = await agentProcess(process.argv.slice(2));
}
