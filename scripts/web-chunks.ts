import { join } from "node:path";

/** What the bundler tells about a module. */
interface ModuleInfo {
  code: string | null;
  importedIds: readonly string[];
}

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

const WEB = join(import.meta.dirname, "../src/web");
const ENTRY = join(WEB, "main.tsx");
/** Whoever comes first comes to these. */
const PUBLIC_PAGES = ["status/status-page.tsx", "status/node-page.tsx", "find/find-page.tsx"].map(
  (page) => join(WEB, page),
);
const OWN = /\/src\/(?:web|shared)\/(?!locales\/)/;
/** Of packages that have one list of all their parts, each in a file or a folder of its name. */
const PART =
  /\/(?:@mantine\/core\/esm\/components|@tabler\/icons-react\/dist\/esm\/icons)\/(\w+)[./]/;
const IMPORTED_PARTS = /import\s*\{([^}]*)\}\s*from\s*"@(?:mantine\/core|tabler\/icons-react)"/g;
/** Packages that all pages need; sentences with marks in them (Trans) are of few. */
const FOR_ALL =
  /\/node_modules\/(?:@mantine\/core\/esm\/core|@tanstack|clsx|i18next|react|react-dom|react-i18next(?!.*\/(?:Trans|Icu))|regexparam|scheduler|use-sync-external-store|wouter)\//;

/** The modules of ours that each page needs, those that public pages share, and what they import. */
interface Places {
  base: ReadonlySet<string>;
  shared: ReadonlySet<string>;
  parts: ReadonlySet<string>;
}

/**
 * Names the chunk of a module, so that a page is few requests: `base` is for every page, `public` for
 * several public pages, `icons` for the others. null leaves a module to the bundler.
 */
export function webChunks(): (id: string, modules: Modules) => string | null {
  let places: Places | undefined;
  return (id, modules) => {
    places ??= toPlaces(modules);
    if (id === ENTRY) return null;
    if (places.base.has(id) || FOR_ALL.test(id)) return "base";
    if (places.shared.has(id)) return "public";
    const [, part] = PART.exec(id) ?? [];
    if (part !== undefined && places.parts.has(part)) return "base";
    return id.includes("/@tabler/icons-react/") ? "icons" : null;
  };
}

function toPlaces(modules: Modules): Places {
  const base = reach(ENTRY, modules);
  const ofPages = PUBLIC_PAGES.map((page) => reach(page, modules));
  const all = new Set([...base, ...ofPages.flatMap((each) => [...each])]);
  const shared = [...all].filter(
    (id) => !base.has(id) && ofPages.filter((each) => each.has(id)).length > 1,
  );
  const parts = [...all].flatMap((id) => importedParts(modules.getModuleInfo(id)?.code ?? ""));
  return { base, shared: new Set(shared), parts: new Set(parts) };
}

/** The module with those of ours that it needs at once. */
function reach(from: string, modules: Modules): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id) || !OWN.test(id)) continue;
    seen.add(id);
    open.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return seen;
}

function importedParts(code: string): string[] {
  return [...code.matchAll(IMPORTED_PARTS)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/ as .*/, "")),
  );
}
