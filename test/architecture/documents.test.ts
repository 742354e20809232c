import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listDocuments, readDocument, root } from "../support/documents.ts";
import { readBlocks } from "../support/walked-document.ts";

interface Place {
  /** How the path begins. */
  document: string;
  /** All blocks of a language, or how one block begins. */
  which: { language: string } | { beginning: string };
}
const all = (document: string, language: string): Place => ({ document, which: { language } });
const one = (document: string, ...beginnings: string[]): Place[] =>
  beginnings.map((beginning) => ({ document, which: { beginning } }));

/** Which file runs the commands, or has the settings read by what they are for. */
const read: Record<string, Place[]> = {
  "test/api/recipes.test.ts": [
    all("docs/recipes/", "json"),
    ...one("docs/recipes/cloudflare.md", "curl -sH"),
  ],
  "test/api/reports-document.test.ts": [all("docs/reports.md", "bash")],
  "test/api/tour.test.ts": [all("docs/tour.md", "bash")],
  "test/edge/check-function-document.test.ts": one(
    "docs/check-function.md",
    "openssl rand",
    "WAYPOST_CHECK_API_KEY=",
    "[Unit]",
    "checks.example.org {",
    "{\n",
    "WAYPOST_CHECK_REMOTE_URL=",
  ),
  "test/engine/documents.test.ts": [
    ...one("README.md", "npm ci && npm start"),
    ...one("docs/agent.md", "curl -fsSLO", "WAYPOST_REPORT_TOKEN=", "install -D", "{\n"),
    ...one("docs/connect.md", "curl -s", "waypost connect", "[[peer]]"),
    ...one("docs/events.md", "curl -N"),
    ...one("docs/holes.md", "curl -s"),
  ],
  "test/engine/domains-bind.test.ts": one("docs/recipes/rfc2136.md", "tsig-keygen", "zone "),
  "test/engine/install-document.test.ts": one(
    "docs/install.md",
    "cp packaging/systemd/waypost.service",
    "cp packaging/systemd/waypost-backup",
    "mkdir -m 700 secrets",
    "WAYPOST_PUBLIC_URL=",
  ),
  "test/engine/operations.test.ts": [all("docs/operations.md", "bash")],
  "test/engine/package.test.ts": one("docs/install.md", "npm ci && npm pack"),
  "test/lab/clearing-away.test.ts": one("docs/laboratory.md", "lab> stun"),
  "test/support/powerdns-server.ts": one("docs/recipes/powerdns.md", "api=yes"),
};

/** What no test can run, and why. */
const unread: Record<string, Place[]> = {
  "It is what runs": one("README.md", "npm ci && npm test"),
  "test/engine/demo.test.ts starts the same program": one("README.md", "npm run demo"),
  "npm ci; test/api/tour.test.ts starts the service with the same key": one(
    "docs/tour.md",
    "# In one terminal",
  ),
  "npm ci; test/support/edge-bundle.ts makes the same files": one(
    "docs/check-function.md",
    "npm ci && npm run build:edge",
  ),
  "An account at Cloudflare": one("docs/check-function.md", "npx wrangler"),
  "A client of the overlay": one(
    "docs/connect.md",
    "easytier-core --network-name home --network-secret SECRET --peers https:",
    "easytier-core --network-name home --network-secret SECRET --peers txt:",
  ),
  Docker: one("docs/install.md", "docker compose up", "docker compose exec"),
  "A sample of a test, as those of test/lab are": [all("docs/laboratory.md", "ts")],
};

/** The language of pictures in letters. */
const PICTURE = "text";

const documents = listDocuments();
const blocks = documents.flatMap((path) =>
  readBlocks(readDocument(path))
    .filter(({ isPrinted, language }) => !isPrinted && language !== PICTURE)
    .map(({ language, text }) => ({ path, language, text })),
);
const isAt = (
  { path, language, text }: { path: string; language: string; text: string },
  { document, which }: Place,
) =>
  path.startsWith(document) &&
  ("language" in which ? language === which.language : text.startsWith(which.beginning));
const places = Object.values({ ...read, ...unread }).flat();

describe("what stands between fences in a document", () => {
  test.for(documents)(
    "says what it is, and is read at one place or has a reason why not: %s",
    (path) => {
      const lost = blocks.filter(
        (block) =>
          block.path === path &&
          (block.language === "" || places.filter((place) => isAt(block, place)).length !== 1),
      );
      expect(lost.map(({ text }) => text)).toEqual([]);
    },
  );

  test("is where the list says", () => {
    const wrong = places.filter((place) => {
      const found = blocks.filter((block) => isAt(block, place)).length;
      return "language" in place.which ? found === 0 : found !== 1;
    });
    expect(wrong).toEqual([]);
  });

  test.for(Object.entries(read))("is named by %s", ([file, own]) => {
    const source = readDocument(file);
    const missing = own.filter(
      ({ document, which }) =>
        !source.includes(document) ||
        ("beginning" in which && !source.includes(JSON.stringify(which.beginning))),
    );
    expect(missing).toEqual([]);
  });
});

/** But for the one that tells what was. */
const present = documents.filter((path) => path !== "CHANGELOG.md");
const scripts = Object.keys(
  (JSON.parse(readDocument("package.json")) as { scripts: object }).scripts,
);
/** What reads settings: the programs, and the files that are handed out with them. */
const readers = globSync(
  ["src/**/*.ts", "vite.config.ts", "test/support/*.ts", "packaging/*/*", "compose*.yaml"],
  { cwd: root },
)
  .map(readDocument)
  .join("\n");

/** Names in a text, and which of them there are. */
const kinds: Record<string, { pattern: RegExp; exists: (name: string) => boolean }> = {
  "scripts of the package": {
    pattern: /`npm run ([\w:-]+)/g,
    exists: (name) => scripts.includes(name),
  },
  commands: {
    pattern: /`(?:npm run waypost -- |waypost )([a-z][a-z-]*)/g,
    exists: (name) => existsSync(join(root, `src/server/commands/${name}.ts`)),
  },
  "files and folders": {
    pattern:
      /(?:`| )((?:\.ci|bench|demo|docs|lab|packaging|scripts|soak|src|test)\/[\w./*{},-]*[\w*/])(?=[^`\n]*`)/g,
    exists: (name) => globSync(name, { cwd: root }).length > 0,
  },
  settings: {
    pattern: /\bWAYPOST_([A-Z][A-Z_]*?[A-Z])(?:_FILE)?\b/g,
    exists: (name) => readers.includes(`"${name}"`) || readers.includes(`WAYPOST_${name}`),
  },
};

describe.for(Object.entries(kinds))("the %s that a document names", ([, { pattern, exists }]) => {
  const named = present.map(
    (path) =>
      [path, [...readDocument(path).matchAll(pattern)].map(([, name = ""]) => name)] as const,
  );
  test.for(named.filter(([, names]) => names.length > 0))("are there: %s", ([, names]) => {
    expect(names.filter((name) => !exists(name))).toEqual([]);
  });
});

/** Of a heading, as the page of a document has it. */
function anchorsOf(path: string): string[] {
  return [...readDocument(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test.for(documents)("every link leads somewhere: %s", (path) => {
  const links = readDocument(path).matchAll(/\]\((?!https?:)([^)\s#]+)(?:#([^)\s]+))?\)/g);
  const broken = [...links].filter(([, target = "", anchor]) => {
    const to = join(dirname(path), target);
    return !existsSync(join(root, to)) || (anchor !== undefined && !anchorsOf(to).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
