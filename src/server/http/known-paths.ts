import type { RouteOptions } from "fastify";

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/** Every path there is, so that a wrong method can be told from a wrong path. */
export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();

  /** Takes in a route as Fastify announces it. */
  add = (route: RouteOptions): void => {
    const path = route.url.replace(/(?<=.)\/$/, "");
    let known = this.#paths.get(path);
    if (!known) this.#paths.set(path, (known = { pattern: toPattern(path), methods: new Set() }));
    for (const method of [route.method].flat()) known.methods.add(method.toUpperCase());
  };

  /** The methods a path answers, sorted; empty when there is no such path. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const known of this.#paths.values()) {
      if (!known.pattern.test(path)) continue;
      for (const method of known.methods) methods.add(method);
    }
    if (methods.size > 0) methods.add("OPTIONS");
    return [...methods].toSorted();
  }
}

function toPattern(path: string): RegExp {
  const steps = path
    .split("/")
    .map((step) =>
      step === "*"
        ? ".*"
        : step.startsWith(":")
          ? "[^/]+"
          : step.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"),
    );
  return new RegExp(`^${steps.join("/")}$`);
}
