import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";

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

interface Stop {
  /** The heading above and the first request, so that a failure shows its place. */
  title: string;
  commands: string;
  expected: string;
}

const tourFile = new URL("../../docs/tour.md", import.meta.url);
const stops = readStops(await readFile(tourFile, "utf8"));
const MARK = "--- the next stop of the tour ---";

/** Each block of bash with the block behind it; without one, nothing may be printed. */
function readStops(tour: string): Stop[] {
  const blocks = tour.matchAll(/^## (.*)$|^```bash\n([^]*?)^```\n(?:```\n([^]*?)^```\n)?/gm);
  let heading = "";
  return [...blocks].flatMap(([, nextHeading, commands, expected = ""]) => {
    heading = nextHeading ?? heading;
    if (commands === undefined) return [];
    const request = /^(?:call|curl|report) .*/m.exec(commands)?.[0] ?? "definitions";
    return [{ title: `${heading}: ${request}`, commands, expected }];
  });
}

/** Runs all commands in one bash, in `folder`. @returns what each block printed */
async function walk(origin: string, folder: string): Promise<string[]> {
  const script = stops.map(({ commands }) => `${commands}\necho '${MARK}'`).join("\n");
  const file = join(folder, "tour.sh");
  await writeFile(file, script.replaceAll("127.0.0.1:8080", new URL(origin).host));
  const { stdout, stderr } = await promisify(execFile)("bash", [file], { cwd: folder });
  if (stderr !== "") throw new Error(`on standard error: ${stderr}`);
  return stdout.split(`${MARK}\n`);
}

/** `…` stands for anything, and white space does not count. */
function toPattern(expected: string): RegExp {
  const literal = expected.replaceAll(/\s/g, "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("…", ".*?")}$`);
}

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
    answers = await walk(service.origin, folder);
  });
  afterAll(async () => {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test.for(stops.map((stop, index) => [stop.title, index] as const))("%s", ([, index]) => {
    const answer = answers[index]?.replaceAll(/\s/g, "");
    expect(answer).toMatch(toPattern(stops[index]?.expected ?? ""));
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
