import type { CounterBits, Counters } from "./counters.ts";
import { defaultInterface, defaultInterface6, interfaceBytes } from "./proc-net.ts";
import { countSockets } from "./sockets.ts";
import { SourceError, type Source } from "./source.ts";
import type { SystemFiles } from "./system-files.ts";

export interface InterfaceSourceParts {
  files: SystemFiles;
  interfaceName: string;
  ports: ReadonlySet<number>;
  bits: CounterBits;
}

/** What the kernel counts at an interface, and the connections at given ports. */
export class InterfaceSource implements Source {
  readonly name: string;
  readonly bits: CounterBits;
  readonly version = undefined;
  readonly #files: SystemFiles;
  readonly #interface: string;
  readonly #ports: ReadonlySet<number>;

  constructor({ files, interfaceName, ports, bits }: InterfaceSourceParts) {
    this.name = `interface ${interfaceName}`;
    this.bits = bits;
    this.#files = files;
    this.#interface = interfaceName;
    this.#ports = ports;
  }

  /** A counter begins again when the machine does, and when the interface is made anew. */
  async readCounters(): Promise<Counters> {
    const boot = (await this.#files.read("proc", "sys/kernel/random/boot_id")).trim();
    const index = await this.#index();
    const bytes = interfaceBytes(await this.#files.read("proc", "net/dev"), this.#interface);
    if (!bytes || index !== (await this.#index())) throw this.#gone();
    return new Map([[this.#interface, { life: `${boot}/${index}`, ...bytes }]]);
  }

  countConnections(): Promise<number> {
    return countSockets(this.#files, this.#ports);
  }

  /** Numbers are given out upwards: an interface that comes back has another one. */
  async #index(): Promise<string> {
    const text = await this.#files.find("sys", `class/net/${this.#interface}/ifindex`);
    if (text === undefined) throw this.#gone();
    return text.trim();
  }

  #gone(): SourceError {
    return new SourceError(`There is no interface ${this.#interface}`);
  }
}

/** @throws SourceError when nothing leads outside */
export async function findDefaultInterface(files: SystemFiles): Promise<string> {
  const name =
    defaultInterface(await files.read("proc", "net/route")) ??
    defaultInterface6((await files.find("proc", "net/ipv6_route")) ?? "");
  if (name !== undefined) return name;
  throw new SourceError("There is no default route; name the interface with --interface");
}
