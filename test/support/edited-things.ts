import type { Page } from "playwright-core";
import type { CallbackWorld } from "./callback-world.ts";
import { createNode } from "./nodes.ts";

interface EditedThing {
  /** Where its form stands. */
  page: string;
  api: string;
  /** In the end. */
  name: string;
  one: (page: Page) => Promise<void>;
  other: (page: Page) => Promise<void>;
  /** What the API says in the end, among other things. */
  stored: object;
}

/** One of each kind that has a form, and two fields of it. */
export async function editedThings(world: CallbackWorld): Promise<EditedThing[]> {
  const { id: domain } = await world.expect<{ id: number }>(
    201,
    "account",
    world.ask("POST", "/api/domains/accounts", {
      name: "zone",
      provider: "desec",
      config: { token: "first-secret-1234", domain: "example.org", base_url: world.target.url },
    }),
  );
  const { id: list } = await world.expect<{ id: number }>(
    201,
    "publication",
    world.ask("POST", "/api/domains/publications", {
      domain_account_id: domain,
      name: "peers.example.org",
      type: "TXT",
      enabled: false,
    }),
  );
  const node = await createNode(world.service, world.token, { node_name: "mine" });
  const account_id = await world.addAccount({ name: "edited hook" });
  const rule = await world.openRule({ name: "edited" });
  const task = await world.addTask({ name: "edited task", stun_rule_id: rule.id, account_id });
  return [
    {
      page: `/admin/stun/${rule.id}/edit`,
      api: `/api/stun/rules/${rule.id}`,
      name: "renamed rule",
      one: rename("renamed rule"),
      other: (page) => page.getByLabel("Trigger callbacks").click(),
      stored: { rule: { name: "renamed rule", trigger_callbacks: false } },
    },
    {
      page: `/admin/callbacks/accounts/${account_id}`,
      api: `/api/callbacks/accounts/${account_id}`,
      name: "renamed hook",
      one: rename("renamed hook"),
      other: (page) => page.getByLabel(/^URL/).fill("http://other.example/"),
      stored: { account: { name: "renamed hook", config: { url: "http://other.example/" } } },
    },
    {
      page: `/admin/callbacks/tasks/${task}`,
      api: `/api/callbacks/tasks/${task}`,
      name: "renamed task",
      one: rename("renamed task"),
      other: (page) => page.getByLabel("Enabled").click(),
      stored: { task: { name: "renamed task", enabled: false } },
    },
    {
      page: `/admin/domains/${domain}`,
      api: `/api/domains/accounts/${domain}`,
      name: "zone",
      one: async (page) => {
        await page.getByRole("button", { name: "Replace" }).click();
        await page.getByLabel(/^Token/).fill("second-secret-5678");
      },
      other: (page) => page.getByLabel(/^Domain/).fill("example.net"),
      stored: {
        account: {
          config: { token: { set: true, hint: "…5678" }, domain: "example.net" },
        },
      },
    },
    {
      page: `/admin/publications/${list}`,
      api: `/api/domains/publications/${list}`,
      name: "peers.example.org",
      one: (page) => page.getByLabel(/^TTL/).fill("120"),
      other: (page) => page.getByLabel(/^Look every/).fill("600"),
      stored: { publication: { ttl_seconds: 120, interval_seconds: 600 } },
    },
    {
      page: `/my/nodes/${node.id}/edit`,
      api: `/api/nodes/${node.id}`,
      name: "mine",
      one: (page) => page.getByLabel(/^Tags/).fill("by-the-one"),
      other: (page) => page.getByLabel(/^Traffic quota/).fill("500"),
      stored: { node: { tags: "by-the-one", max_traffic: 500 } },
    },
  ];
}

function rename(name: string): (page: Page) => Promise<void> {
  return (page) => page.getByLabel(/^Name/).fill(name);
}
