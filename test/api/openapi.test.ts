import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  listOperations,
  readDocument,
  type OpenApiDocument,
  type Operation,
} from "../support/openapi.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let document: OpenApiDocument;
let operations: Operation[];

beforeAll(async () => {
  service = await startTestService();
  document = await readDocument(service);
  operations = listOperations(document);
});
afterAll(() => service.stop());

function find(method: string, path: string): Operation {
  const found = operations.find((each) => each.method === method && each.path === path);
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found;
}

describe("the description", () => {
  test("is the one that is kept", async () => {
    const kept = await readFile(new URL("../../docs/openapi.json", import.meta.url), "utf8");
    expect(JSON.parse(kept)).toEqual(document);
  });

  /** The table of errors of the registry's specification. */
  test.each([
    ["POST", "/api/auth/register", [201, 400]],
    ["POST", "/api/auth/login", [200, 401, 403]],
    ["GET", "/api/auth/verify", [200, 400]],
    ["GET", "/api/nodes/my", [200, 401]],
    ["POST", "/api/nodes/", [201, 400, 401]],
    ["PUT", "/api/nodes/{id}", [200, 400, 401, 403, 404]],
    ["DELETE", "/api/nodes/{id}", [200, 401, 403, 404]],
    ["POST", "/api/report", [200, 400, 403, 404]],
    ["POST", "/api/query", [200]],
    ["GET", "/api/public", [200]],
    ["GET", "/api/stats", [200]],
    ["GET", "/api/edgecheck/check", [200, 400, 401, 500]],
    ["POST", "/api/edgecheck/batch-check", [200, 400, 401, 500]],
    ["GET", "/api/edgecheck/health", [200, 401]],
    ["GET", "/api/system/check-init", [200]],
    ["POST", "/api/system/initialize", [201, 400, 401]],
  ])("%s %s names the statuses %j", (method, path, statuses) => {
    const described = Object.keys(find(method, path).responses).map(Number);
    expect(described).toEqual(expect.arrayContaining(statuses));
  });

  test("a server error is possible everywhere but where the specification excludes it", () => {
    const without = operations.filter((each) => !("500" in each.responses));
    expect(without.map((each) => each.path)).toEqual([
      "/api/system/check-init",
      "/api/edgecheck/health",
      "/healthz",
      "/readyz",
    ]);
  });

  test.each([
    [
      "GET",
      "/api/nodes/my",
      "id, node_name, region_type, region_detail, connections, current_bandwidth, tier_bandwidth, max_bandwidth, used_traffic, max_traffic, connection_count, max_connections, tags, status",
    ],
    [
      "POST",
      "/api/query",
      "id, node_name, region_type, region_detail, connections, current_bandwidth, tier_bandwidth, connection_count, max_connections, used_traffic, max_traffic, tags, allow_relay",
    ],
    [
      "GET",
      "/api/public",
      "id, node_name, region_type, region_detail, current_bandwidth, tier_bandwidth, max_bandwidth, used_traffic, max_traffic, connection_count, max_connections, tags, status, allow_relay",
    ],
  ])("the view of %s %s has exactly the fields of the specification", (method, path, fields) => {
    const schema = find(method, path).responses["200"]?.content?.["application/json"]?.schema;
    const view = schema?.properties?.["nodes"]?.items;
    expect(Object.keys(view?.properties ?? {}).toSorted()).toEqual(fields.split(", ").toSorted());
    expect(view?.required?.toSorted()).toEqual(fields.split(", ").toSorted());
  });

  test("every operation has a name of its own, a sentence and a known group", () => {
    const names = operations.map((each) => each.operationId);
    expect(new Set(names).size).toBe(names.length);
    const groups = document.tags.map((each) => each.name);
    for (const { summary, tags } of operations) {
      expect(summary).toMatch(/^[A-Z]/);
      expect(groups).toContain(tags?.[0]);
    }
  });

  test("every refusal has the one error body", () => {
    for (const { responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        expect(content?.["application/json"]?.schema.$ref).toBe("#/components/schemas/Error");
      }
    }
  });

  test("what needs a session says so, and answers 401 without one", async () => {
    const secured = operations.filter(({ security }) =>
      security?.some((each) => "session" in each),
    );
    expect(secured.length).toBeGreaterThan(10);
    for (const { method, path, responses } of secured) {
      expect(responses).toHaveProperty("401");
      // The body and the id are wrong as well: without a session nothing is said about them.
      const answer = await service.request(method, path.replace("{id}", "x"), { raw: "{" });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  });
});

describe("the page of the description", () => {
  test.each(["/docs", "/docs/"])("%s loads everything from here", async (path) => {
    const page = await service.request("GET", path);
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain("http");
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const url = new URL(String(link), `${service.origin}${path}`);
      expect(url.origin).toBe(service.origin);
      const part = await service.request("GET", url.pathname);
      expect(part.status).toBe(200);
      expect(part.headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test("a file that the page does not have is a 404 in the error body", async () => {
    for (const path of ["/docs/static/nothing.js", "/docs/static/..%2f..%2fpackage.json"]) {
      const answer = await service.request("GET", path);
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe("not_found");
    }
  });
});
