import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";
import { bare, readStops, toPattern, walk } from "../support/walked-document.ts";

/** What the tour must have met: every status of every endpoint. */
const statuses = {
  "GET /api/system/check-init": [200],
  "POST /api/system/initialize": [201, 400, 401],
  "POST /api/auth/register": [201, 400],
  "POST /api/auth/login": [200, 401, 403],
  "GET /api/auth/verify": [200, 400],
  "GET /api/nodes/my": [200, 401],
  "POST /api/nodes/": [201, 400, 401],
  "PUT /api/nodes/:id": [200, 400, 401, 403, 404],
  "DELETE /api/nodes/:id": [200, 401, 403, 404],
  "POST /api/report": [200, 400, 403, 404],
  "POST /api/query": [200],
  "GET /api/public": [200],
  "GET /api/stats": [200],
  "GET /api/edgecheck/check": [200, 400, 401],
  "POST /api/edgecheck/batch-check": [200, 400, 401],
  "GET /api/edgecheck/health": [200, 401],
};

/** Where one status has several conditions, each has a code. */
const codes = [
  "already_initialized",
  "wrong_setup_secret",
  "email_not_verified",
  "wrong_credentials",
  "invalid_token",
  "name_taken",
  "report_token_refused",
  "node_expired",
];

const tourFile = new URL("../../docs/tour.md", import.meta.url);
const stops = readStops(await readFile(tourFile, "utf8"));
/** The first request, so that a failure shows its place. */
const titles = stops.map(({ heading, commands }) => {
  const request = /^(?:call|curl|report) .*/m.exec(commands)?.[0] ?? "definitions";
  return `${heading}: ${request}`;
});

describe("the tour", () => {
  let folder: string;
  let service: ServiceProcess;
  let answers: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-tour-"));
    const data = join(folder, "data");
    // As the tour says to start it; beside the key nothing is set that would change an answer.
    service = await ServiceProcess.start({
      PORT: "0",
      DATA_DIR: data,
      LOG_LEVEL: "silent",
      CHECK_API_KEY: "knock",
    });
    answers = await walk(stops, { folder, origin: service.origin });
  });
  afterAll(async () => {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test.for(titles.map((title, index) => [title, index] as const))("%s", ([, index]) => {
    expect(bare(answers[index] ?? "")).toMatch(toPattern(stops[index]?.expected ?? ""));
  });

  test.for(Object.entries(statuses))("meets every status of %s", async ([endpoint, expected]) => {
    const [method, route] = endpoint.split(" ");
    const metrics = (await service.request("GET", "/metrics")).body as string;
    const met = metrics.matchAll(
      /^waypost_http_request_duration_seconds_count\{method="(\w+)",route="([^"]+)",status="(\d+)"\}/gm,
    );
    const found = [...met]
      .filter((match) => match[1] === method && match[2] === route)
      .map((match) => Number(match[3]));
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test.for(codes)("meets the refusal %s", (code) => {
    expect(answers.join("")).toContain(`"code":"${code}"`);
  });
});
