import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../support/client.ts";
import { CallbackWorld } from "../support/callback-world.ts";
import { describeOnBothDatabases } from "../support/service.ts";
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
/** Administrators have written them where everybody who may see the account can read them. */
const shown: ReadonlySet<string> = new Set([secrets.header, secrets.query, secrets.path]);

describeOnBothDatabases("the secrets of accounts", (context) => {
  let world: CallbackWorld;
  const said: string[] = [];
  const answers: Answer[] = [];

  beforeAll(async () => {
    const logger = pino({ level: "trace" }, { write: (line: string) => void said.push(line) });
    world = await CallbackWorld.start(context, { logger });
    // The worst of targets: it answers with all that it was sent.
    world.target.answer = ({ message, url, body }) => ({
      status: url.pathname.endsWith("ok") ? 200 : 400,
      headers: { "x-echo": message.headers.authorization ?? "nothing" },
      body: `${JSON.stringify(message.headers)} ${url.href} ${body.toString()}`,
    });
  });
  afterAll(() => world.stop());

  async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await world.ask(method, path, body);
    answers.push(answer);
    return answer;
  }

  test("reach the target and are in no answer, no log and no storage", async () => {
    const base_url = world.target.url;
    const accounts = [
      {
        name: "hook",
        type: "webhook",
        config: {
          url: `${base_url}/${secrets.path}/ok?access_token=${secrets.query}`,
          headers: `Authorization: Bearer ${secrets.header}\nX-Api-Key: ${secrets.header}`,
          signing_secret: secrets.signing,
        },
      },
      {
        name: "cloudflare",
        type: "cloudflare_origin_rule",
        config: { api_token: secrets.token, zone_id: "zone", rule_id: "rule", base_url },
      },
      {
        name: "aliyun",
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
        name: "tencent",
        type: "tencent_edgeone",
        config: {
          secret_id: "id",
          secret_key: secrets.secretKey,
          site_id: "zone",
          rule_id: "rule",
          base_url,
        },
      },
    ];
    const rule = await world.openRule();
    for (const account of accounts) {
      const created = await ask("POST", "/api/callbacks/accounts", account);
      expect(created.status).toBe(201);
      const { id } = created.body.account as { id: number };
      await world.addTask({ name: account.name, stun_rule_id: rule.id, account_id: id });
      await ask("POST", `/api/callbacks/accounts/${id}/test`);
      await ask("PUT", `/api/callbacks/accounts/${id}`, { name: `${account.name} 2` });
    }
    await world.move({ address: "203.0.113.8", port: 6_000 });
    const sent = JSON.stringify(
      world.target.received.map(({ message, url }) => [message.headers, url.href]),
    );
    for (const secret of [secrets.header, secrets.query, secrets.token]) {
      expect(sent).toContain(secret);
    }
    const runs = await world.runs();
    expect(runs).toHaveLength(4);
    for (const { id } of runs) await ask("GET", `/api/callbacks/runs/${id}`);
    for (const path of ["tasks", "runs", "runs/export?format=json", "runs/export?format=csv"]) {
      await ask("GET", `/api/callbacks/${path}`);
    }
    await ask("GET", "/api/admin/audit");
    await world.service.service.callbacks.idle();

    const everything = {
      answers: JSON.stringify(answers.map(({ headers, body }) => [headers, body as unknown])),
      "the logs": said.join("\n"),
      "the storage": await storedText(world.service.config),
    };
    for (const [place, text] of Object.entries(everything)) {
      expect([place, text.length > 500]).toEqual([place, true]);
      for (const [name, secret] of Object.entries(secrets)) {
        // A path is no place for a secret: runs name the target that they went to.
        if (name === "path" && place === "the storage") continue;
        if (place === "answers" && shown.has(secret)) continue;
        expect([name, place, text.includes(secret)]).toEqual([name, place, false]);
      }
    }
    const history = JSON.stringify(await Promise.all(runs.map(({ id }) => world.run(id))));
    for (const secret of [secrets.header, secrets.query, secrets.token, secrets.signing]) {
      expect(history).not.toContain(secret);
    }
  });

  test("stay sealed when the account is read, and hint at themselves only", async () => {
    const { accounts } = (await world.ask("GET", "/api/callbacks/accounts")).body;
    const hints = (accounts as { config: Record<string, { hint?: string }> }[]).flatMap(
      ({ config }) => Object.values(config).flatMap(({ hint }) => hint ?? []),
    );
    const { signing, token, accessKey, secretKey } = secrets;
    expect(hints).toEqual(
      [signing, token, accessKey, secretKey].map((each) => `…${each.slice(-4)}`),
    );
  });
});
