import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN } from "../support/accounts.ts";
import { FakeDesec } from "../support/fake-desec.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import { WebWorld } from "../support/web-world.ts";

describe("the pages of domain accounts and their records", () => {
  let web: WebWorld;
  beforeAll(async () => {
    web = await WebWorld.start();
  }, 120_000);
  afterAll(() => web.stop());

  const tokens = (): unknown[] =>
    web.world.target.received.map(({ message }) => message.headers.authorization);

  test("a secret is written, never shown, kept when left alone, and replaced on demand", async () => {
    const { target } = web.world;
    target.answer = () => ({ status: 401, body: { detail: "Invalid token." } });
    const tab = await web.open();
    const { page } = tab;
    await page.goto("/admin/domains");
    await page.getByText("No domain account yet").waitFor();
    await page.getByRole("link", { name: "New domain account" }).first().click();
    await page.getByRole("link", { name: /^deSEC/ }).click();
    await page.getByRole("button", { name: "Create domain account" }).click();
    expect(await page.getByText("This is needed").count()).toBe(3);
    await page.getByLabel(/^Name/).fill("desec");
    await page.getByLabel(/^Token/).fill("with spaces");
    await page.getByText("No spaces or line breaks").waitFor();
    await page.getByLabel(/^Token/).fill("first-secret-1234");
    await page.getByLabel(/^Domain/).fill("example.com");
    await page.getByText("Advanced").click();
    await page.getByLabel(/^API address/).fill(target.url);
    await page.getByRole("button", { name: "Create domain account" }).click();

    await page.getByRole("heading", { level: 1, name: "desec" }).waitFor();
    await page.getByText("Set, ends in …1234. It cannot be shown.").waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("It does not work yet").waitFor();
    expect(tokens().at(-1)).toBe("Token first-secret-1234");
    expect(await page.content()).not.toContain("first-secret");

    await page.getByLabel(/^Name/).fill("desec at home");
    await page.getByText("Save your changes before you test them.").waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { level: 1, name: "desec at home" }).waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("It does not work yet").waitFor();
    expect(tokens().at(-1)).toBe("Token first-secret-1234");

    await page.getByRole("button", { name: "Replace" }).click();
    await page.getByLabel(/^Token/).fill("second-secret-5678");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Set, ends in …5678. It cannot be shown.").waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("It does not work yet").waitFor();
    expect(tokens().at(-1)).toBe("Token second-secret-5678");
    expect(await tab.close()).toEqual([]);
  });

  test("records have the fields of their type, and what uses a domain account keeps it", async () => {
    const tab = await web.open({ expected: [/400/] });
    const { page } = tab;
    await page.goto("/admin/callbacks/accounts/new?type=domain_account");
    await page.getByLabel(/^Name/).first().fill("home records");
    await page.getByLabel(/^Domain account/).selectOption("desec at home (desec)");
    const first = page.getByRole("group", { name: "Record 1" });
    await first.getByLabel("Type").selectOption("SRV");
    await first.getByLabel(/^Name/).fill("_minecraft._tcp.example.com");
    await page.getByRole("button", { name: "Add a record" }).click();
    const second = page.getByRole("group", { name: "Record 2" });
    await second.getByLabel("Type").selectOption("TXT");
    await second.getByLabel(/^Name/).fill("home.example.com");
    await second.getByLabel(/^Text/).fill("{{ nonsense }}");
    await page.getByRole("button", { name: "Create account" }).click();
    await first.getByText("This is needed").waitFor();
    await first.getByLabel(/^Target/).fill("home.example.com");
    await page.getByRole("button", { name: "Create account" }).click();
    // What only the service knows stands at the field of its record.
    await second.getByText(/nonsense/).waitFor();
    await second.getByLabel(/^Text/).fill("{{ public_address }}");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "home records" }).waitFor();
    const { body } = await web.world.ask("GET", "/api/callbacks/accounts");
    expect(body.accounts[0].config.records).toEqual([
      { name: "_minecraft._tcp.example.com", type: "SRV", target: "home.example.com" },
      { name: "home.example.com", type: "TXT", template: "{{ public_address }}" },
    ]);

    await page.goto("/admin/domains");
    await page.getByRole("link", { name: "home records" }).waitFor();
    await page.getByRole("link", { name: "desec at home" }).click();
    await page.getByRole("button", { name: "Delete domain account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "home records" }).click();
    await page.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await page.getByText("No account yet").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("a node of the registry is found by its name", async () => {
    const { service, token } = web.world;
    const { id } = await createNode(service, token, { node_name: "relay-at-home" });
    await createNode(service, token, { node_name: "another" });
    const tab = await web.open();
    const { page } = tab;
    await page.goto("/admin/callbacks/accounts/new?type=registry_node");
    await page.getByLabel(/^Name/).fill("relay");
    await page.getByRole("combobox", { name: /^Node/ }).fill("at-home");
    await page.getByRole("option", { name: /^another/ }).waitFor({ state: "detached" });
    await page.getByRole("option", { name: /^relay-at-home/ }).click();
    await page.getByLabel(/^Connection/).selectOption("UDP");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "relay" }).waitFor();
    await page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>("[role=combobox]")?.value.startsWith("relay-at"),
    );
    const { body } = await web.world.ask("GET", "/api/callbacks/accounts");
    expect(body.accounts.at(-1).config).toEqual({ node_id: id, transport: "UDP" });
    expect(await tab.close()).toEqual([]);
  });

  test("a list of nodes is previewed, published, followed and withdrawn", async () => {
    const { service, token } = web.world;
    const desec = await FakeDesec.listen("example.org");
    const text = () => desec.find("peers", "TXT")?.records ?? [];
    const config = { token: desec.token, domain: "example.org", base_url: desec.baseUrl };
    const body = { name: "lists", provider: "desec", config };
    await web.world.ask("POST", "/api/domains/accounts", body);
    const connections = [{ type: "WSS", ip: "relay.example.net", port: 443 }];
    const node = await createNode(service, token, { node_name: "listed", connections });
    await sendReport(service, ADMIN, node);
    const tab = await web.open({ expected: [/400/] });
    const { page } = tab;
    await page.goto("/admin/publications");
    await page.getByText("No DNS list yet").waitFor();
    await page.getByRole("link", { name: "New DNS list" }).first().click();
    await page.getByRole("button", { name: "Create and publish" }).click();
    expect(await page.getByText("This is needed").count()).toBe(2);
    await page.getByLabel(/^Domain account/).selectOption("lists (desec)");
    await page.getByLabel(/^Name/).fill("peers");
    await page.getByText("A DNS name such as peers.example.com").waitFor();
    await page.getByLabel(/^Name/).fill("peers.example.org");
    // What would be published is shown while one types.
    await page.getByText('"wss://relay.example.net:443"').waitFor();
    await page.getByLabel(/^SRV/).check();
    await page.getByText("100 100 443 relay.example.net.").waitFor();
    await page.getByLabel(/^TXT/).check();
    await page.getByRole("button", { name: "Create and publish" }).click();

    // The provider takes no such TTL, and its words are shown.
    await page.getByRole("heading", { level: 1, name: "peers.example.org" }).waitFor();
    await page.getByText(/Ensure this value is greater than or equal to 3600/).waitFor();
    await page.getByText("Failing", { exact: true }).waitFor();
    await page.getByLabel(/^TTL/).fill("3600");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Published", { exact: true }).waitFor();
    expect(text()).toEqual(['"wss://relay.example.net:443"']);

    desec.sets.length = 0;
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Records would change").waitFor();
    await page.getByRole("button", { name: "Publish now" }).click();
    await page.getByText("peers.example.org is in step").waitFor();
    expect(text()).toHaveLength(1);
    const { body: answer } = await web.world.ask("GET", "/api/domains/publications");
    const address = `/admin/publications/${answer.publications[0].id as number}`;

    for (const look of looks) {
      const shown = await web.open({ language: look.language });
      await shown.page.goto(address);
      await shown.page.locator('code:text("txt://peers.example.org")').waitFor();
      await expectGoodLooks(shown, look, "publication");
      expect(await shown.close()).toEqual([]);
    }

    await page.getByRole("button", { name: "Delete DNS list" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete DNS list" }).click();
    await page.getByText("No DNS list yet").waitFor();
    expect(text()).toEqual([]);
    expect(await tab.close()).toEqual([]);
    await desec.server.close();
  });
});
