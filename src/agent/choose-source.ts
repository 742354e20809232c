import { machine } from "node:os";
import type { CounterBits } from "./counters.ts";
import { findDefaultInterface, InterfaceSource } from "./interface-source.ts";
import { OverlayCli } from "./overlay-cli.ts";
import { OverlaySource } from "./overlay-source.ts";
import type { AgentSettings } from "./settings.ts";
import type { Source } from "./source.ts";
import { SystemFiles } from "./system-files.ts";

/** The source that was set; by itself the overlay where its program is. @throws SourceError */
export async function chooseSource(settings: AgentSettings): Promise<Source> {
  const cli = new OverlayCli(settings.overlayCli, settings.overlayPortal);
  const wantsOverlay =
    settings.source === "overlay" || (settings.source === "auto" && (await cli.isInstalled()));
  if (wantsOverlay) return new OverlaySource(cli);
  const { ports, counterBits } = settings;
  const files = new SystemFiles(settings.folders);
  const interfaceName = settings.interfaceName || (await findDefaultInterface(files));
  const bits = counterBits === "auto" ? bitsOf(machine()) : counterBits;
  return new InterfaceSource({ files, interfaceName, ports, bits });
}

/** A 32-bit kernel counts in 32 bits where a driver does not do better. */
function bitsOf(architecture: string): CounterBits {
  return /^(?:i[3-6]86|armv[1-7]|arm$|mips(?:el)?$|ppc$|riscv32)/.test(architecture) ? 32 : 64;
}
