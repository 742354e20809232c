import { Egress } from "../../src/server/lib/egress.ts";
import {
  EgressPolicy,
  type EgressMode,
  type Listener,
} from "../../src/server/lib/egress-policy.ts";
import { OutgoingHttp } from "../../src/server/lib/outgoing-http.ts";
import type { Resolver } from "../../src/probe/sockets.ts";

interface OutgoingOptions {
  mode?: EgressMode;
  ownListener?: Listener;
  ownAddresses?: string[];
  /** Name → addresses, or one list after the other. */
  names?: Record<string, string[] | string[][]>;
  connectTimeoutMs?: number;
  /** In the place of `names`. */
  resolver?: Resolver;
}

/** Answers from a table; a list of lists is used up, one list a question. */
export class TableResolver implements Resolver {
  readonly asked: string[] = [];
  readonly #names: Record<string, string[] | string[][]>;

  constructor(names: Record<string, string[] | string[][]>) {
    this.#names = names;
  }

  resolve(name: string): Promise<string[]> {
    this.asked.push(name);
    const [first, ...rest] = this.#names[name] ?? [];
    if (!Array.isArray(first)) return Promise.resolve((this.#names[name] ?? []) as string[]);
    if (rest.length > 0) this.#names[name] = rest as string[][];
    return Promise.resolve(first);
  }
}

/** The way out as the service has it, with names from a table. */
export function openOutgoing(options: OutgoingOptions = {}): {
  http: OutgoingHttp;
  resolver: TableResolver;
} {
  const { mode = "lan", ownListener, ownAddresses = [], names = {}, connectTimeoutMs } = options;
  const resolver = new TableResolver(names);
  const policy = new EgressPolicy({
    mode,
    ownListener: () => ownListener,
    ownAddresses: () => ownAddresses,
  });
  const http = new OutgoingHttp({
    egress: new Egress({ policy, resolver: options.resolver ?? resolver }),
    now: () => performance.now(),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  });
  return { http, resolver };
}
