import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NONCE_PLACE } from "../../src/server/http/web-files.ts";
import { pagePaths } from "../../src/shared/pages.ts";
import { setUp } from "../support/accounts.ts";
import { startTestService, type TestService } from "../support/service.ts";

const SCRIPT = "console.log('the app')".repeat(50);
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-web-"));
  await mkdir(join(folder, "assets"));
  const page = `<meta property="csp-nonce" nonce="${NONCE_PLACE}"><p>the app</p>`;
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "assets/app-1a2b.js"), SCRIPT);
  await writeFile(join(folder, "assets/app-1a2b.js.br"), brotliCompressSync(SCRIPT));
  service = await startTestService({ http: { webFolder: folder } });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  service.request("GET", path, { headers });

describe("pages", () => {
  test.each(Object.values(pagePaths))("%s answers the app to whoever asks", async (path) => {
    const answer = await get(path.replace(":id", "5"));
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain("<p>the app</p>");
    expect((await get(`${path.replace(":id", "5")}?token=x`)).status).toBe(200);
  });

  test("a page is styled by what it loads and by this answer's nonce, and runs what it loads", async () => {
    const [first, second] = [await get("/"), await get("/")];
    const policy = String(first.headers["content-security-policy"]);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(nonce).toMatch(/^[\w+/]{24}$/);
    expect(first.body).toContain(`nonce="${nonce}"`);
    expect(second.body).not.toContain(nonce);
    expect(policy).not.toContain("unsafe");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(first.headers).toMatchObject({
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  test("HEAD answers as GET does, and other methods are refused", async () => {
    const head = await service.request("HEAD", "/sign-in");
    expect(head.status).toBe(200);
    expect(head.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(head.body).toBe("");
    const post = await service.request("POST", "/sign-in", { body: {} });
    expect(post.status).toBe(405);
    expect(post.headers.allow).toBe("GET, HEAD, OPTIONS");
  });

  test("an address that names nothing is a 404: in the app for people, in words for programs", async () => {
    const page = await get("/nowhere/at/all", html);
    expect(page.status).toBe(404);
    expect(page.body).toContain("<p>the app</p>");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
    expect((await get("/nowhere/at/all")).body.code).toBe("not_found");
  });

  test.each([
    "/api/nowhere",
    "/api",
    "/docs/nowhere",
    "/assets/nowhere.js",
    "/assets/..%2findex.html",
  ])("%s is no page, whoever asks", async (path) => {
    const answer = await get(path, html);
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe("not_found");
  });

  test("what is no page answers as ever", async () => {
    expect((await get("/healthz", html)).body).toEqual({ status: "ok" });
    expect((await get("/api/stats", html)).body.total_nodes).toBe(0);
    expect((await get("/docs/", html)).body).toContain("swagger");
  });
});

describe("what pages load", () => {
  test("is kept for a year, for its name changes with it", async () => {
    const answer = await get("/assets/app-1a2b.js");
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(SCRIPT);
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "application/javascript; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
  });

  test("comes as small as the browser can read it", async () => {
    const response = await fetch(`${service.origin}/assets/app-1a2b.js`, {
      headers: { "accept-encoding": "br" },
    });
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(await response.text()).toBe(SCRIPT);
    expect(Number(response.headers.get("content-length"))).toBeLessThan(SCRIPT.length / 2);
  });
});

describe("without the built app", () => {
  let bare: TestService;
  beforeAll(async () => {
    bare = await startTestService({ http: { webFolder: join(folder, "missing") } });
  });
  afterAll(() => bare.stop());

  test("a page says in words what is missing, and the API works", async () => {
    const answer = await bare.request("GET", "/");
    expect(answer.status).toBe(503);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.body).toContain("npm run build:web");
    expect((await bare.request("GET", "/api/stats")).status).toBe(200);
    const unknown = await bare.request("GET", "/nowhere", { headers: html });
    expect(unknown.body.code).toBe("not_found");
  });
});

test("a page can ask what runs here, and whether it is set up and sends mails", async () => {
  const { version } = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  const info = { initialized: false, version, smtp: false };
  expect((await get("/api/system/info")).body).toEqual(info);
  await setUp(service);
  expect((await get("/api/system/info")).body).toEqual({ ...info, initialized: true });
  const mailing = await startTestService({ env: { SMTP_URL: "smtp://127.0.0.1:9" } });
  expect((await mailing.request("GET", "/api/system/info")).body.smtp).toBe(true);
  await mailing.stop();
});
