import { promises as dns } from "node:dns";
import { DialError, type Resolver } from "../sockets.ts";
import { findInHostsFile, HOSTS_FILE } from "./hosts-file.ts";

/** Together less than a check gives to a name. */
const QUERY_LIMIT_MS = 1000;
const TRIES = 2;
/** What says that a name has no such address, rather than that nobody could say. */
const absent = ["ENODATA", "ENOTFOUND"];
/** RFC 6761 §6.3 and §6.4: never asked of a server. */
const LOCALHOST = /(?:^|\.)localhost$/;
const INVALID = /(?:^|\.)invalid$/;

interface NodeResolverOptions {
  /** `address` or `address:port`; absent = those of the system. */
  servers?: readonly string[];
  hostsFile?: string;
}

/**
 * Finds addresses in the hosts file, else asks the name servers. It does not use getaddrinfo: that
 * occupies one of a few threads for as long as a name server pleases, and names come from strangers.
 */
export class NodeResolver implements Resolver {
  readonly #servers: readonly string[] | undefined;
  readonly #hostsFile: string;

  constructor({ servers, hostsFile = HOSTS_FILE }: NodeResolverOptions = {}) {
    this.#servers = servers;
    this.#hostsFile = hostsFile;
  }

  /** IPv4 first: a host without IPv6 is still the more frequent one. */
  async resolve(name: string, signal: AbortSignal): Promise<string[]> {
    signal.throwIfAborted();
    const listed = await findInHostsFile(this.#hostsFile, name);
    if (listed.length > 0) return listed;
    if (INVALID.test(name)) return [];
    return LOCALHOST.test(name) ? ["127.0.0.1", "::1"] : this.#ask(name, signal);
  }

  async #ask(name: string, signal: AbortSignal): Promise<string[]> {
    const options = { timeout: QUERY_LIMIT_MS, maxTimeout: QUERY_LIMIT_MS, tries: TRIES };
    const resolver = new dns.Resolver(options);
    if (this.#servers) resolver.setServers(this.#servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      signal.throwIfAborted();
      const found = answers.flatMap((answer) =>
        answer.status === "fulfilled" ? answer.value : [],
      );
      if (found.length === 0 && answers.some(isFailure)) {
        throw new DialError("name_unresolved", "The name could not be resolved");
      }
      return found;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }
}

function isFailure(answer: PromiseSettledResult<string[]>): boolean {
  if (answer.status === "fulfilled") return false;
  const { code } = answer.reason as NodeJS.ErrnoException;
  return code === undefined || !absent.includes(code);
}
