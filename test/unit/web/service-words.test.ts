import { globSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { toFieldErrors } from "../../../src/shared/field-errors.ts";
import { Catalogue } from "../../../src/web/lib/catalogue.ts";
import { ServiceWords } from "../../../src/web/lib/service-words.ts";
import { catalogue, parts } from "../../../src/web/locales/zh-CN/said/catalogue.ts";
import { groups } from "../../../src/web/locales/zh-CN/said/said.ts";
import { textsOf, writtenTexts } from "../../support/said-sentences.ts";
import { machineWords } from "../../support/machine-words.ts";

const PLACE = /\{(\w+)(?:@(\w+)(!)?)?\}/g;
const HAN = /\p{Script=Han}/u;

const written = writtenTexts();
const literals = new Set(written.map(({ text }) => text));
const sayings = parts.flatMap((part) =>
  groups.flatMap((group) =>
    Object.entries(part[group] ?? {}).map(([english, chinese]) => ({ group, english, chinese })),
  ),
);

/** As the sources write it: `{}` for a value. */
const bare = (english: string): string => english.replaceAll(PLACE, "{}");

/** Several words, or a word and a value; what a machine reads is known by its signs or by name. */
function isSaid(text: string): boolean {
  return (
    /[a-z]{2}/i.test(text) &&
    /\S \S/.test(text) &&
    !/^[\w.]+ as \w+$|charset=|max-age=|no-store|HTTP\/1\.1|^[a-z-]+: \S+$|\n\n$/.test(text) &&
    !machineWords.has(text)
  );
}

const placesOf = (text: string): string[] =>
  [...text.matchAll(PLACE)].map(([, name = ""]) => name).toSorted((a, b) => (a < b ? -1 : 1));

describe("what the service says in English", () => {
  test("is found in its sources: literals, templates and thrown errors, but no logs and no SQL", () => {
    const source = [
      'import { x } from "not this one";',
      'logger.warn("and not this one");',
      "sql`nor ${x} this one`;",
      'new Error("a defect is no message");',
      'new AppError("conflict", `The task ${name} is gone`, { description: "not said" });',
      'const why = flag ? "has one reason" : "has another";',
    ];
    const found = textsOf("src/server/x.ts", source.join("\n")).map(({ text }) => text);
    expect(found).toEqual(["conflict", "The task {} is gone", "has one reason", "has another"]);
  });

  test("has Chinese words, every sentence of it", () => {
    const said = written.filter(({ text }) => isSaid(text));
    expect(said.length).toBeGreaterThan(400);
    const known = new Set(sayings.map(({ english }) => bare(english)));
    const missing = said.filter(({ text }) => !known.has(text));
    expect(missing.map(({ text, file, line }) => `${file}:${line} ${text}`)).toEqual([]);
  });

  test("is all that has Chinese words", () => {
    const dead = sayings.filter(({ english }) => {
      // What joins a list stands alone in the sources.
      const fixed = bare(english).split("{}").filter(Boolean);
      const isJoint = fixed.length > 0 && fixed.every((part) => literals.has(part));
      return !literals.has(bare(english)) && !isJoint && !/^\{\w+@\w+!\}$/.test(english);
    });
    expect(dead.map(({ english }) => english)).toEqual([]);
  });

  test("is no list of exceptions that nobody needs", () => {
    expect([...machineWords].filter((text) => !literals.has(text))).toEqual([]);
  });
});

describe("the Chinese words for it", () => {
  test("are Chinese, stand once, and hold every value", () => {
    const keys = sayings.map(({ group, english }) => `${group} ${english}`);
    expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
    for (const { english, chinese } of sayings) {
      expect([english, placesOf(chinese)]).toEqual([english, placesOf(english)]);
    }
    const plain = sayings.filter(({ english, chinese }) => {
      const hasWords = /[a-z]{2}/i.test(english.replaceAll(PLACE, "").replace("| json", ""));
      return hasWords && !HAN.test(chinese);
    });
    expect(plain.map(({ english }) => english)).toEqual(["no"]);
  });

  test("are reached: no other entry stands in front of one", () => {
    const open = sayings.filter(
      ({ group, english }) => group === "sentence" && !english.includes("!}"),
    );
    for (const { english, chinese } of open) {
      const fill = (text: string) => text.replaceAll(PLACE, (_, name: string) => `«${name}»`);
      expect([english, catalogue.find(fill(english))]).toEqual([english, fill(chinese)]);
    }
  });

  test.each([
    [
      "The rule 家 has no live mapping; its status is lost: 1.2.3.4:3478 did not answer within 3 s",
      "规则 家 当前没有可用的映射，其状态为已失去：1.2.3.4:3478 在 3 秒内没有应答",
    ],
    [
      "connections.0.port: must be a whole number from 1 to 65535, not text",
      "connections.0.port：必须是 1 到 65535 之间的整数，而不是文本",
    ],
    ["must be udp, tcp or null", "必须是 udp、tcp 或 null"],
    ["must have at most 1 entry", "最多 1 项"],
    ["The body must be a JSON object", "请求正文必须是 JSON 对象"],
    ["Line 2: the header Host cannot be set", "第 2 行：不能设置标头 Host"],
    [
      "Line 3: {{ adress }} is unknown; did you mean public_address?",
      "第 3 行：{{ adress }} 不存在；您是否想写 public_address？",
    ],
    [
      "Nothing was sent: db.internal leads to 10.0.0.9 is a private address, which WEBHOOK_POLICY=public refuses",
      "没有发送任何内容：db.internal 指向 10.0.0.9 属于私有地址，WEBHOOK_POLICY=public 不允许访问",
    ],
    ["The name server 9.9.9.9:53 refused the connection", "DNS 服务器 9.9.9.9:53 拒绝了连接"],
    [
      "Tencent Cloud answered AuthFailure.SignatureFailure: the secret key is wrong",
      "腾讯云返回 AuthFailure.SignatureFailure：SecretKey 有误",
    ],
    ["The target answered 500: no success", "目标返回 500：未成功"],
    [
      "home.example A: skipped, An A record holds no IPv6 address; v6.example AAAA: current",
      "home.example A：已跳过，A 记录不能存放 IPv6 地址；v6.example AAAA：无需更改",
    ],
    [
      "2 of 3 records failed. a.example A: No answer from the name server 9.9.9.9:53; b.example A: a.example could not be resolved",
      "3 条记录中有 2 条失败。a.example A：DNS 服务器 9.9.9.9:53 没有响应；b.example A：无法解析 a.example",
    ],
    [
      "The rule web has 443 (HttpsPort) and 80 (HttpPort) already",
      "规则 web 已是端口 443（HttpsPort）和端口 80（HttpPort）",
    ],
    [
      "No keep-alive host can be had (a.example:80: no answer came in time; b.example:80: the connection was refused (ECONNREFUSED))",
      "无法连接任何保活主机（a.example:80：没有及时收到应答；b.example:80：连接被拒绝（ECONNREFUSED））",
    ],
    [
      "The servers see different addresses: 1.1.1.1:5 (by 9.9.9.9:3478), 1.1.1.1:6 (by 8.8.8.8:3478); the router gives each destination another port (endpoint-dependent mapping), or a server is wrong. A TCP hole needs a router that gives all destinations the same port.",
      "不同服务器看到的地址不同：1.1.1.1:5（来自 9.9.9.9:3478），1.1.1.1:6（来自 8.8.8.8:3478）；路由器对每个目标使用不同的端口（端点相关映射），或某台服务器有误。TCP 洞要求路由器对所有目标使用相同的端口。",
    ],
    [
      "UDP 0.0.0.0:80 cannot be opened: the system does not permit it (EACCES)",
      "无法打开 UDP 0.0.0.0:80：系统不允许（EACCES）",
    ],
    [
      "9.9.9.9:3478 answered with the error 500 Server Error",
      "9.9.9.9:3478 返回错误 500 Server Error",
    ],
  ])("put together: %s", (english, chinese) => {
    expect(catalogue.find(english)).toBe(chinese);
  });

  test("leave alone what others have said, and names that look like words of ours", () => {
    expect(catalogue.find("The target answered 502: one account or none, and a list")).toBe(
      "目标返回 502：one account or none, and a list",
    );
    expect(catalogue.find("There is a rule named account already")).toBe("已有名为 account 的规则");
    expect(catalogue.find("Something, new: and unheard of")).toBeUndefined();
  });

  test("cover whatever the schemas of the API object to", async () => {
    const folder = join(import.meta.dirname, "../../../src/shared/api");
    const values = [
      null,
      "",
      "x".repeat(5000),
      "?",
      -1,
      1.5,
      1e12,
      true,
      [],
      Array(999).fill(1),
      {},
      { zz: 1 },
    ];
    let count = 0;
    for (const file of globSync("*.ts", { cwd: folder })) {
      const module = (await import(join(folder, file))) as Record<string, unknown>;
      for (const schema of Object.values(module).filter(isSchema)) {
        const compiled = Compile(schema);
        const names = Object.keys((schema as { properties?: object }).properties ?? {});
        const wrong = [
          ...values,
          ...values.flatMap((value) => names.map((name) => ({ [name]: value }))),
        ];
        for (const value of wrong) {
          for (const { message } of toFieldErrors(schema, compiled.Errors(value), value)) {
            const chinese = catalogue.find(message);
            expect([message, chinese]).toEqual([message, expect.stringMatching(HAN)]);
            // The rest of it is names, values and patterns.
            const words = chinese?.replace(/^必须符合格式 .*/s, "");
            expect(words).not.toMatch(/[a-z] (?:or|and|of|to) /);
            expect(words).not.toMatch(/\b(?:must|whole|number|list|text|characters)\b/);
            count += 1;
          }
        }
      }
    }
    expect(count).toBeGreaterThan(1000);
  });
});

describe("the words of the service on a page", () => {
  const english = "There is no rule with this id";

  test("are Chinese on a Chinese page once they are loaded, and its listeners hear of it", async () => {
    const said = new ServiceWords({ language: "zh-CN" });
    let calls = 0;
    const stop = said.subscribe(() => (calls += 1));
    expect(said.say(english)).toEqual({ text: english, language: "en" });
    await Promise.all([said.prepare(), said.prepare()]);
    expect(said.say(english)).toEqual({ text: "没有此 ID 的规则", language: "zh-CN" });
    expect(said.say("Quite new")).toEqual({ text: "Quite new", language: "en" });
    expect(calls).toBeGreaterThan(0);
    stop();
  });

  test("are as they come on an English one", async () => {
    const said = new ServiceWords({ language: "en" });
    await said.prepare();
    expect(said.say(english)).toEqual({ text: english, language: "en" });
  });

  test("fall back to the whole text where a part must be known and is not", () => {
    const words = new Catalogue([
      { sentence: { "{a@clause!}: {b}": "{a}：{b}" }, clause: { one: "一" } },
    ]);
    expect(words.find("one: two")).toBe("一：two");
    expect(words.find("two: one")).toBeUndefined();
  });
});

function isSchema(value: unknown): value is TSchema {
  return typeof value === "object" && value !== null && "~kind" in value;
}
