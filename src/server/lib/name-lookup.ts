import { lookup } from "node:dns/promises";
import { NodeResolver } from "../../probe/node/resolver.ts";
import { DialError, type Resolver } from "../../probe/sockets.ts";

/** What only the system can find: names without a dot (search domains), and multicast DNS. */
const SYSTEM_NAME = /^[^.]+$|\.local$/;
const absent = ["ENODATA", "ENOTFOUND"];

/**
 * Finds the addresses of targets. Ordinary names are asked of the name servers directly, so that one
 * that hangs holds up nobody else; names of the home network are left to the system.
 */
export class NameLookup implements Resolver {
  readonly #names: Resolver;

  constructor(names: Resolver = new NodeResolver()) {
    this.#names = names;
  }

  resolve(name: string, signal: AbortSignal): Promise<string[]> {
    return SYSTEM_NAME.test(name) && name !== "localhost"
      ? this.#askSystem(name)
      : this.#names.resolve(name, signal);
  }

  async #askSystem(name: string): Promise<string[]> {
    try {
      const found = await lookup(name, { all: true, order: "ipv4first" });
      return found.map(({ address }) => address);
    } catch (error) {
      if (absent.includes((error as NodeJS.ErrnoException).code ?? "")) return [];
      throw new DialError("name_unresolved", "The name could not be resolved");
    }
  }
}
