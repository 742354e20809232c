import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUp } from "../support/accounts.ts";
import { listDocuments, readDocument, stopOf } from "../support/documents.ts";
import { FakeCloudflare } from "../support/fake-cloudflare.ts";
import { createNode } from "../support/nodes.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { readBlocks, walk } from "../support/walked-document.ts";

/** In place of what only the reader knows: an id, a key, Base64. */
const OWN = "01234567890123456789";

interface Example {
  name?: string;
  provider?: string;
  type?: string;
  config?: Record<string, unknown>;
}
const examples = listDocuments()
  .filter((path) => path.startsWith("docs/recipes/"))
  .flatMap((path) =>
    readBlocks(readDocument(path))
      .filter(({ language }) => language === "json")
      .map(({ text }) => [path, JSON.parse(text.replaceAll("…", OWN)) as Example] as const),
  );

let service: TestService;
let session: string;
/** What the examples refer to by a number of their own. */
let known: Record<string, number>;
beforeAll(async () => {
  service = await startTestService();
  session = await setUp(service);
  const body = {
    name: "any",
    provider: "desec",
    config: { token: OWN, domain: "example.com" },
  };
  const added = await service.request("POST", "/api/domains/accounts", { token: session, body });
  const node = await createNode(service, session);
  known = { domain_account_id: added.body.account.id as number, node_id: node.id };
});
afterAll(() => service.stop());

const accounts = examples.filter(([, example]) => example.config);

test.for(accounts)("%s shows an account that is taken as it stands: %o", async ([, example]) => {
  const config = Object.entries(example.config ?? {}).map(([key, value]) => [
    key,
    known[key] ?? value,
  ]);
  const path = example.provider ? "/api/domains/accounts" : "/api/callbacks/accounts";
  const body = { ...example, config: Object.fromEntries(config) as object };
  const { status, body: answer } = await service.request("POST", path, { token: session, body });
  expect([status, answer.error]).toEqual([201, undefined]);
});

/** Each page that lists rights at a provider, and what calls it. */
const callers = {
  "docs/recipes/alidns.md": ["alidns", "src/server/domains/providers/alidns.ts"],
  "docs/recipes/aliyun-esa.md": ["esa", "src/server/callbacks/actions/aliyun-esa.ts"],
  "docs/recipes/dnspod.md": ["dnspod", "src/server/domains/providers/dnspod.ts"],
  "docs/recipes/tencent-edgeone.md": ["teo", "src/server/callbacks/actions/tencent-edgeone.ts"],
} as const;

function namesIn(found: Iterable<RegExpMatchArray>): Set<string | undefined> {
  return new Set([...found].map(([, name]) => name));
}

test.for(Object.entries(callers))(
  "%s asks for the rights that are used",
  ([page, [api, source]]) => {
    const rights = readDocument(page).matchAll(new RegExp(`["\`]${api}:([A-Z]\\w+)["\`]`, "g"));
    const calls = readDocument(source).matchAll(/(?:[cC]all|change)\([^{]*?"([A-Z][a-z]\w*)"/g);
    expect(namesIn(rights)).toEqual(namesIn(calls));
  },
);

test("every policy belongs to such a page", () => {
  const policies = examples.filter(([, { config }]) => !config).map(([path]) => path);
  expect(Object.keys(callers)).toEqual(expect.arrayContaining(policies));
  expect(policies).toHaveLength(2);
});

test("docs/recipes/cloudflare.md finds the ids of rules", async () => {
  const fake = await FakeCloudflare.listen([{ id: "the-rule" }]);
  const folder = await mkdtemp(join(tmpdir(), "waypost-recipe-"));
  try {
    const [said = ""] = await walk([stopOf("docs/recipes/cloudflare.md", "curl -sH")], {
      folder,
      env: { TOKEN: fake.token, ZONE: fake.zoneId },
      instead: { "https://api.cloudflare.com": fake.server.url },
    });
    const { result } = JSON.parse(said) as { result: { rules: { id: string }[] } };
    expect(result.rules.map(({ id }) => id)).toEqual(["the-rule"]);
  } finally {
    await fake.server.close();
    await rm(folder, { recursive: true });
  }
});
