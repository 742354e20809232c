import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

describeOnBothDatabases("the HTTP layer", (context) => {
  let service: TestService;
  beforeAll(async () => {
    service = await context.start();
  });
  afterAll(() => service.stop());

  test("says that it lives and that it is ready", async () => {
    expect((await service.request("GET", "/healthz")).body).toEqual({ status: "ok" });
    expect((await service.request("GET", "/readyz")).body).toEqual({ status: "ok" });
  });

  test("refuses an unknown path in its own error body", async () => {
    const answer = await service.request("GET", "/nowhere");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: "There is nothing at this path", code: "not_found" });
  });

  test("refuses a method that the path does not know, and names those it does", async () => {
    const answer = await service.request("POST", "/healthz", { body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect(answer.body.code).toBe("method_not_allowed");
  });
});
