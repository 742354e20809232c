import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { freePort } from "../support/free-port.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { startTestService, type TestService } from "../support/service.ts";

const program = fileURLToPath(new URL("../../src/server/cli.ts", import.meta.url));
const OWNER = "owner@example.com";
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  const session = await join(service, OWNER);
  await sendReport(service, OWNER, await createNode(service, session, { tags: "fast" }));
});
afterAll(() => service.stop());

function connect(...parameters: string[]): Promise<{ code: number; out: string; err: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; out: string; err: string }>();
  const child = execFile(
    process.execPath,
    [program, "connect", ...parameters],
    { cwd: tmpdir() },
    (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
  );
  return promise;
}

test("waypost connect prints what a client would get", async () => {
  const filters = ["--region", "domestic", "--transport", "tcp", "--tag", "fast", "--exclude", "7"];
  const plain = await connect(...filters, "--network", "réseau 网", service.origin);
  expect(plain).toEqual({ code: 0, out: "tcp://203.0.113.7:11010\n", err: "" });
  const json = await connect("--json", `${service.origin}/`);
  expect(JSON.parse(json.out)).toEqual({ url: "tcp://203.0.113.7:11010" });
});

test("waypost connect ends with 1 when there is no node, or no service", async () => {
  const none = await connect("--relay-only", service.origin);
  expect([none.code, none.err]).toEqual([1, "No node is available that fits; try again shortly\n"]);
  const json = await connect("--relay-only", "--json", service.origin);
  expect([json.code, JSON.parse(json.out).url]).toEqual([1, null]);
  const away = await connect(`http://127.0.0.1:${await freePort()}`);
  expect([away.code, away.err]).toEqual([1, expect.stringMatching(/cannot be asked: .*REFUSED/)]);
});

test.each([
  [[], "connect takes the address of a service"],
  [["ftp://a.example"], "The service must be an address"],
  [["--region", "mars"], "region"],
])("waypost connect %j is called in a wrong way", async (parameters, sentence) => {
  const isBare = parameters.length === 0 || parameters[0]?.startsWith("ftp");
  const ending = await connect(...parameters, ...(isBare ? [] : [service.origin]));
  expect(ending.code).toBe(2);
  expect(ending.err).toContain(sentence);
});
