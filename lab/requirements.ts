import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { environment } from "./environment.ts";

/** Programs that the laboratory runs, by the Debian package that brings them. */
const PROGRAMS = {
  ip: "iproute2",
  nft: "nftables",
  conntrack: "conntrack",
  turnserver: "coturn",
  socat: "socat",
  miniupnpd: "miniupnpd",
};

/** @returns why no laboratory can be started here, as a sentence; undefined when one can */
export function whyNoLaboratory(): string | undefined {
  if (process.platform !== "linux") return "The laboratory needs Linux network namespaces.";
  if (process.getuid?.() !== 0) return "The laboratory needs root, to create network namespaces.";
  const missing = Object.entries(PROGRAMS).filter(([program]) => !isInstalled(program));
  if (missing.length > 0) {
    const packages = missing.map(([, name]) => name).join(" ");
    return `The laboratory needs these Debian packages: ${packages}.`;
  }
  if (spawnSync("unshare", ["--net", "true"]).status !== 0) {
    return "This machine does not let root create network namespaces.";
  }
  return undefined;
}

function isInstalled(program: string): boolean {
  const folders = (environment()["PATH"] ?? "").split(":");
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
