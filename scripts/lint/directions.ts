/** What a source file is, judged by where it lies. Each kind may import the kinds it names. */
const mayImport = {
  /** The wire contract. */
  shared: ["shared"],
  /** How a node is checked, wherever that runs. */
  probe: ["probe", "shared"],
  /** Knows nothing of us. */
  lib: ["lib", "probe", "shared"],
  config: ["config", "lib", "probe"],
  database: ["database", "config", "lib", "shared"],
  /** Files of a feature that the other features may know: see `nouns`. */
  noun: ["noun", "part", "database", "lib", "shared"],
  /** Files of a feature that are nobody else's business. */
  part: ["part", "store", "noun", "database", "config", "lib", "probe", "shared"],
  store: ["store", "part", "noun", "database", "lib", "shared"],
  // oxfmt-ignore
  service: ["service", "store", "part", "noun", "database", "config", "lib", "probe", "shared"],
  /** The background work of a feature. */
  workers: ["service", "store", "part", "noun", "lib"],
  /** A file named like its feature builds the feature's parts. */
  // oxfmt-ignore
  assembly: ["workers", "service", "store", "part", "noun", "database", "config", "lib", "probe",
    "shared"],
  /** What every route needs: authentication, limits, types. */
  http: ["http", "service", "part", "noun", "config", "lib", "shared"],
  routes: ["http", "service", "part", "noun", "lib", "shared"],
  /** The list of all routes and the list of all workers. */
  // oxfmt-ignore
  app: ["app", "routes", "workers", "http", "service", "part", "noun", "config", "lib", "shared"],
  /** The only file that knows every part. */
  // oxfmt-ignore
  composition: ["composition", "app", "assembly", "workers", "routes", "http", "service", "store",
    "part", "noun", "database", "config", "lib", "probe", "shared"],
  main: ["main", "command", "composition", "config", "database", "lib", "shared"],
  /** What `waypost <word>` does: a small program of its own, put together where it stands. */
  // oxfmt-ignore
  command: ["command", "agent", "main", "composition", "assembly", "http", "service", "part", "noun",
    "database", "config", "lib", "probe", "shared"],
  web: ["web", "shared"],
  edge: ["edge", "probe", "shared"],
  agent: ["agent", "shared"],
} as const satisfies Record<string, readonly string[]>;

type Kind = keyof typeof mayImport;

/** Kinds that stay inside their feature, however the directions read. */
const privateKinds: readonly Kind[] = ["store", "part", "workers"];

/**
 * The doors of each feature beside its `service.ts`: what it calls things, and the state that all
 * hot paths read.
 */
const nouns: Readonly<Record<string, readonly string[]>> = {
  // oxfmt-ignore
  nodes: ["node.ts", "fleet.ts", "fleet-columns.ts", "period.ts", "change-log.ts", "tag-index.ts",
    "transport-bits.ts"],
  reports: ["exact-sum.ts", "others.ts"],
  users: ["caller.ts", "new-account.ts"],
  system: ["audit.ts"],
  stun: ["rule.ts", "change-port.ts", "endpoint.ts"],
  callbacks: ["change.ts", "template.ts", "template-values.ts"],
  domains: ["dns-name.ts", "publication.ts", "record.ts", "record-set.ts"],
};

interface PackageOwner {
  packages: readonly string[];
  kinds: readonly Kind[];
  /** Files beside those kinds that may import the packages too. */
  files?: RegExp;
}

/** Packages that belong to some kinds only. The first word of the specifier decides. */
const packageOwners: readonly PackageOwner[] = [
  // A hot path may speak to one database directly when the file's name says so.
  { packages: ["better-sqlite3"], kinds: ["database"], files: /-sqlite[\w-]*\.ts$/ },
  { packages: ["pg"], kinds: ["database"], files: /-postgres[\w-]*\.ts$/ },
  { packages: ["kysely"], kinds: ["database", "noun", "store", "part"] },
  // What goes out over HTTP is judged and recorded: see src/server/lib/exchange.ts.
  { packages: ["undici"], kinds: ["lib"] },
  // oxfmt-ignore
  { packages: ["react", "react-dom", "react-i18next", "i18next", "wouter", "@mantine", "@tanstack", "@tabler"],
    kinds: ["web"] },
  { packages: ["fastify", "@fastify"], kinds: ["http", "routes", "app", "composition"] },
];

/** `src/shared` is read by programs of every kind. */
const sharedPackages: readonly string[] = ["typebox", "ipaddr.js"];

const topLevelFiles: Readonly<Record<string, Kind>> = {
  "config.ts": "config",
  "settings.ts": "config",
  "setting-values.ts": "config",
  "stated-settings.ts": "config",
  "version.ts": "config",
  "engine.ts": "app",
  "service.ts": "composition",
  "holes.ts": "composition",
  "registry.ts": "composition",
  "main.ts": "main",
  "run.ts": "main",
  "cli.ts": "main",
};

const featureFiles: Readonly<Record<string, Kind>> = {
  "store.ts": "store",
  "service.ts": "service",
  "workers.ts": "workers",
  "routes.ts": "routes",
  "admin-routes.ts": "routes",
  "node-routes.ts": "routes",
  "diagnose-routes.ts": "routes",
  "account-routes.ts": "routes",
  "task-routes.ts": "routes",
  "run-routes.ts": "routes",
  "search-routes.ts": "routes",
};

const outsideServer: ReadonlySet<string> = new Set(["shared", "probe", "web", "edge", "agent"]);

/** @param path relative to the folder that holds `src`, with `/` */
function kindOf(path: string): Kind | undefined {
  const [top, area, ...rest] = path.split("/").slice(1);
  if (path.split("/")[0] !== "src" || top === undefined) return undefined;
  if (outsideServer.has(top)) return top as Kind;
  if (top !== "server" || area === undefined) return undefined;
  if (rest.length === 0) return topLevelFiles[area];
  if (area === "lib" || area === "database") return area;
  if (area === "commands") return "command";
  if (area === "http") return rest[0] === "app.ts" ? "app" : "http";
  const file = rest.join("/");
  const named = featureFiles[file];
  if (named) return named;
  if (file === `${area}.ts`) return "assembly";
  return nouns[area]?.includes(file) ? "noun" : "part";
}

function featureOf(path: string): string {
  return path.split("/").slice(1, 3).join("/");
}

/** Why `from` may not import `to`, or undefined when it may. Paths as for `kindOf`. */
export function objectionToFile(from: string, to: string): string | undefined {
  const importer = kindOf(from);
  const imported = kindOf(to);
  if (!importer) return `${from} has no kind: give it one in scripts/lint/directions.ts`;
  if (to === "package.json" && importer === "config") return undefined;
  if (!imported) return `${to} is no source of the program`;
  const allowed: readonly Kind[] = mayImport[importer];
  if (!allowed.includes(imported)) return `${importer} may not import ${imported}`;
  if (
    privateKinds.includes(imported) &&
    importer !== "composition" &&
    importer !== "command" &&
    importer !== "app" &&
    featureOf(from) !== featureOf(to)
  ) {
    return `${to} is private to ${featureOf(to)}: go through its service.ts or one of its nouns`;
  }
  return undefined;
}

/** Why `from` may not import the package `specifier`, or undefined when it may. */
export function objectionToPackage(from: string, specifier: string): string | undefined {
  const importer = kindOf(from);
  if (!importer) return `${from} has no kind: give it one in scripts/lint/directions.ts`;
  const name = specifier.split("/")[0] ?? specifier;
  if (importer === "shared" && !sharedPackages.includes(name)) {
    return `shared may import ${sharedPackages.join(", ")} only`;
  }
  const owner = packageOwners.find((each) => each.packages.includes(name));
  if (owner && !owner.kinds.includes(importer) && !owner.files?.test(from)) {
    return `${importer} may not import ${name}`;
  }
  return undefined;
}
