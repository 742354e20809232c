import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountTypes } from "../../src/shared/api/callbacks.ts";
import { providerNames, type ProviderName } from "../../src/shared/api/domains.ts";
import type { Answer } from "../support/client.ts";
import { CallbackWorld } from "../support/callback-world.ts";
import { createNode } from "../support/nodes.ts";
import { ProviderServer } from "../support/provider-server.ts";
import { describeOnBothDatabases } from "../support/service.ts";
import { SmtpServer } from "../support/smtp.ts";
import { storedText } from "../support/stored-text.ts";

/** Each stands in a request that a target gets, and nowhere else. */
const secrets = {
  signing: "whsec_c2lnbmluZy1zZWNyZXQtb2YtdGhlLWhvb2s=",
  header: "bearer-in-a-header-7h2k",
  query: "token-in-a-query-9x4m",
  token: "cloudflare-token-of-the-zone-1q8z",
  accessKey: "secret-of-the-access-key-5w3n",
  secretKey: "secret-key-of-the-cloud-6r2v",
  path: "token-in-a-path-3b8d",
} as const;
/** Those of domain accounts. */
const domainSecrets: Readonly<Record<ProviderName, string>> = {
  cloudflare: "token-of-the-zones-records-2k6d",
  alidns: "secret-of-the-records-key-8s1f",
  dnspod: "secret-key-of-the-records-4g9h",
  rfc2136: "c2VjcmV0LW9mLXRoZS1uYW1lLXNlcnZlcg==",
  powerdns: "api-key-of-the-name-server-7j3l",
  dyndns2: "password-of-the-router-5z0x",
  desec: "token-of-the-domain-1c7v",
  duckdns: "token-of-all-names-6b2n",
};
/** Administrators have written them where everybody who may see the account can read them. */
const shown: ReadonlySet<string> = new Set([secrets.header, secrets.query, secrets.path]);
/** They travel as they are; the others sign only, or are part of something encoded. */
const sentPlainly = [
  secrets.header,
  secrets.query,
  secrets.path,
  secrets.token,
  domainSecrets.cloudflare,
  domainSecrets.powerdns,
  domainSecrets.desec,
  domainSecrets.duckdns,
];

function callbackAccounts(base_url: string, nodeId: number) {
  return [
    {
      type: "webhook",
      config: {
        url: `${base_url}/${secrets.path}/ok?access_token=${secrets.query}`,
        headers: `Authorization: Bearer ${secrets.header}\nX-Api-Key: ${secrets.header}`,
        signing_secret: secrets.signing,
      },
    },
    {
      type: "cloudflare_origin_rule",
      config: { api_token: secrets.token, zone_id: "zone", rule_id: "rule", base_url },
    },
    {
      type: "aliyun_esa",
      config: {
        access_key_id: "id",
        access_key_secret: secrets.accessKey,
        site_id: "1",
        rule_id: "2",
        base_url,
      },
    },
    {
      type: "tencent_edgeone",
      config: {
        secret_id: "id",
        secret_key: secrets.secretKey,
        site_id: "zone",
        rule_id: "rule",
        base_url,
      },
    },
    { type: "registry_node", config: { node_id: nodeId } },
  ];
}

function domainConfigs(base_url: string): Record<ProviderName, object> {
  const { cloudflare, alidns, dnspod, rfc2136, powerdns, dyndns2, desec, duckdns } = domainSecrets;
  const domain = "example.com";
  return {
    cloudflare: { api_token: cloudflare, zone_id: "zone", base_url },
    alidns: { access_key_id: "id", access_key_secret: alidns, domain, base_url },
    dnspod: { secret_id: "id", secret_key: dnspod, domain, base_url },
    rfc2136: { server: "127.0.0.1:1", zone: domain, key_name: "key", key_secret: rfc2136 },
    powerdns: { base_url, api_key: powerdns, zone: domain },
    dyndns2: { base_url, username: "router", password: dyndns2 },
    desec: { token: desec, domain, base_url },
    duckdns: { token: duckdns, base_url },
  };
}

describeOnBothDatabases("the secrets of accounts", (context) => {
  let world: CallbackWorld;
  let notices: ProviderServer;
  let smtp: SmtpServer;
  const said: string[] = [];
  const answers: Answer[] = [];

  beforeAll(async () => {
    const logger = pino({ level: "trace" }, { write: (line: string) => void said.push(line) });
    notices = await ProviderServer.listen();
    smtp = await SmtpServer.start();
    const env = {
      NOTICE_WEBHOOK_URL: `${notices.url}/notices`,
      NOTICE_MAIL_TO: "owner@example.com",
      SMTP_URL: smtp.url,
      MAIL_FROM: "waypost@example.com",
    };
    world = await CallbackWorld.start(context, { logger, env });
    // The worst of targets: it answers with all that it was sent.
    world.target.answer = ({ message, url, body }) => ({
      status: url.pathname.endsWith("ok") ? 200 : 400,
      headers: { "x-echo": message.headers.authorization ?? "nothing" },
      body: `${JSON.stringify(message.headers)} ${url.href} ${body.toString()}`,
    });
  });
  afterAll(async () => {
    await world.stop();
    await notices.close();
    await smtp.stop();
  });

  async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await world.ask(method, path, body);
    answers.push(answer);
    return answer;
  }

  async function addAccount(path: string, account: { name: string }): Promise<number> {
    const created = await ask("POST", path, account);
    expect([account.name, created.status]).toEqual([account.name, 201]);
    const { id } = created.body.account as { id: number };
    await ask("POST", `${path}/${id}/test`);
    await ask("PUT", `${path}/${id}`, { name: `${account.name} 2` });
    return id;
  }

  /** An account of each type, and a domain account of each provider behind one. */
  async function listAccounts() {
    const base_url = world.target.url;
    const node = await createNode(world.service, world.token, { name: "home" });
    const accounts: { type: string; config: object }[] = callbackAccounts(base_url, node.id);
    for (const [provider, config] of Object.entries(domainConfigs(base_url))) {
      const domain = { name: provider, provider, config };
      const domain_account_id = await addAccount("/api/domains/accounts", domain);
      const name = provider === "duckdns" ? "home.duckdns.org" : "home.example.com";
      accounts.push({
        type: "domain_account",
        config: { domain_account_id, records: [{ name, type: "A" }] },
      });
    }
    return accounts.map(({ type, config }, n) => ({ name: `${type} ${n}`, type, config }));
  }

  test("reach the target and are in no answer, no log, no notice, no mail and no storage", async () => {
    const accounts = await listAccounts();
    expect(new Set(accounts.map(({ type }) => type))).toEqual(new Set(accountTypes));
    expect(new Set(Object.keys(domainSecrets))).toEqual(new Set(providerNames));
    const rule = await world.openRule();
    for (const account of accounts) {
      const id = await addAccount("/api/callbacks/accounts", account);
      await world.addTask({ name: account.name, stun_rule_id: rule.id, account_id: id });
    }
    await world.move({ address: "203.0.113.8", port: 6_000 });
    const sent = JSON.stringify(
      world.target.received.map(({ message, url }) => [message.headers, url.href]),
    );
    for (const secret of sentPlainly)
      expect([secret, sent.includes(secret)]).toEqual([secret, true]);
    const runs = await world.runs();
    expect(runs).toHaveLength(accounts.length);
    for (const { id } of runs) await ask("GET", `/api/callbacks/runs/${id}`);
    const exports = ["runs/export?format=json", "runs/export?format=csv"];
    for (const path of ["accounts", "tasks", "runs", ...exports]) {
      await ask("GET", `/api/callbacks/${path}`);
    }
    for (const path of ["/api/domains/accounts", "/api/admin/audit?limit=200"])
      await ask("GET", path);
    await world.advance(11_000);
    await world.settle();
    expect(notices.received).toHaveLength(1);
    const mail = await smtp.next();
    expect(mail.text).toContain("domain_account 5");

    const everything = {
      answers: JSON.stringify(answers.map(({ headers, body }) => [headers, body as unknown])),
      "the logs": said.join("\n"),
      "the notices": JSON.stringify(notices.received.map(({ body }) => body.toString())),
      "the mails": JSON.stringify(mail),
      "the storage": await storedText(world.service.config),
    };
    for (const [place, text] of Object.entries(everything)) {
      expect([place, text.length > 500]).toEqual([place, true]);
      for (const [name, secret] of Object.entries({ ...secrets, ...domainSecrets })) {
        // A path is no place for a secret: runs name the target that they went to.
        if (name === "path" && place === "the storage") continue;
        if (place === "answers" && shown.has(secret)) continue;
        expect([name, place, text.includes(secret)]).toEqual([name, place, false]);
      }
    }
    const history = JSON.stringify(await Promise.all(runs.map(({ id }) => world.run(id))));
    for (const secret of [secrets.header, secrets.query]) expect(history).not.toContain(secret);
  });

  test("stay sealed when the account is read, and hint at themselves only", async () => {
    const { signing, token, accessKey, secretKey } = secrets;
    const own = [signing, token, accessKey, secretKey];
    expect(await hintsAt(world, "/api/callbacks/accounts")).toEqual(ends(own));
    expect(await hintsAt(world, "/api/domains/accounts")).toEqual(
      ends(Object.values(domainSecrets)),
    );
  });
});

/** What the accounts of a list show of their secrets. */
async function hintsAt(world: CallbackWorld, path: string): Promise<string[]> {
  const { accounts } = (await world.ask("GET", path)).body;
  return (accounts as { config: Record<string, { hint?: string }> }[]).flatMap(({ config }) =>
    Object.values(config).flatMap(({ hint }) => hint ?? []),
  );
}

function ends(values: readonly string[]): string[] {
  return values.map((each) => `…${each.slice(-4)}`);
}
