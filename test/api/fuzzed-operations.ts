import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NodeSockets } from "../../src/probe/node/sockets.ts";
import type { CheckOptions } from "../../src/server/checks/checks.ts";
import type { Answer } from "../support/client.ts";
import { ADMIN, idOf, join, logIn, PASSWORD, setUp } from "../support/accounts.ts";
import { requestsFor, type FuzzedRequest, type KnownValues } from "../support/hostile-input.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { createRule } from "../support/rules.ts";
import {
  listOperations,
  objectionTo,
  readDocument,
  type OpenApiDocument,
  type Operation,
} from "../support/openapi.ts";
import { describeOnBothDatabases, SETUP_SECRET, type TestService } from "../support/service.ts";

export interface FuzzOptions {
  /** Requests per operation. */
  runs: number;
  /** Per operation; after it none is begun but a first one. */
  limitMs: number;
  deadlineMs: number;
}

/** Sessions with which an operation is tried. */
const callers = ["nobody", "user", "administrator", "stranger", "forger"] as const;
type Caller = (typeof callers)[number];
const refused: readonly Caller[] = ["nobody", "forger"];

/** The tests of hostile requests to every operation, on both databases. */
export function testOperations({ runs, limitMs, deadlineMs }: FuzzOptions): void {
  describeOnBothDatabases("whatever is sent to an operation of the description", (context) => {
    let service: TestService;
    let document: OpenApiDocument;
    let operations: Operation[];
    const sessions: Partial<Record<Caller, string>> = { forger: "eyJhbGciOiJub25lIn0.e30." };

    beforeAll(async () => {
      service = await context.start({ checks: onThisMachine });
      document = await readDocument(service);
      operations = listOperations(document);
      await setUp(service);
    });
    afterAll(() => service.stop());

    /** Earlier requests may have ended sessions or deleted what was there. */
    async function prepare(round: number, { path }: Operation): Promise<KnownValues> {
      const email = `user-${round}@example.com`;
      const administrator = (sessions.administrator = await logIn(service, ADMIN));
      const session = (sessions.user = await join(service, email));
      sessions.stranger ??= await join(service, "stranger@example.com");
      const node = await createNode(service, session);
      await sendReport(service, email, node);
      const rule = await createRule(service, administrator, { name: `rule ${round}` });
      return {
        ...(path === "/api/auth/register" ? { email: `new-${round}@example.com` } : { email }),
        id: path.includes("/users/")
          ? await idOf(service, administrator, email)
          : path.includes("/stun/rules/")
            ? rule.id
            : node.id,
        password: PASSWORD,
        node_name: node.name,
        token: node.token,
        jwt_secret: SETUP_SECRET,
        region_type: "domestic",
        connections: [{ type: "TCP", ip: "203.0.113.7", port: 11010 }],
        valid_until: "2030-01-01",
        server: `tcp://127.0.0.1:${new URL(service.origin).port}`,
        network_name: "net",
        network_secret: "",
      };
    }

    function send({ method }: Operation, { path, raw }: FuzzedRequest, caller: Caller) {
      const token = sessions[caller];
      return service.request(method, path, {
        ...(token === undefined ? {} : { token }),
        ...(raw === undefined ? {} : { raw }),
      });
    }

    test("gets an answer that the description names", { timeout: deadlineMs }, async () => {
      const seen = new Map<string, number>();
      for (const [round, operation] of operations.entries()) {
        const known = await prepare(round, operation);
        const who = isEndless(operation) ? refused : callers;
        const attempt = fc.tuple(requestsFor(operation, known), fc.constantFrom(...who));
        const isOver = overAfter(limitMs);
        await fc.assert(
          fc.asyncProperty(attempt, async ([request, caller]) => {
            if (isOver()) return;
            const answer = await send(operation, request, caller);
            seen.set(`${answer.status}`, (seen.get(`${answer.status}`) ?? 0) + 1);
            // Two very long words in one path are refused before anything is looked up.
            if (request.path.length > 16_000 && answer.status === 431) return;
            expect(complaintAbout(answer, operation, document)).toBeUndefined();
          }),
          { numRuns: runs },
        );
      }
      // The requests reach behind the checks of their form.
      for (const status of ["200", "201", "400", "401", "403", "404"]) {
        expect(seen.get(status)).toBeGreaterThan(0);
      }
      expect((await service.request("GET", "/readyz")).status).toBe(200);
      expect(({} as Record<string, unknown>)["is_admin"]).toBeUndefined();
    });

    test("gets one before the set-up, too", { timeout: 60_000 }, async () => {
      const bare = await context.start();
      const found = operations.find((each) => each.path === "/api/system/initialize");
      if (!found) throw new Error("the set-up is not described");
      // With the right secret one of them would set the system up, and none would be refused after.
      const known = { jwt_secret: `not ${SETUP_SECRET}`, password: PASSWORD };
      const seen = new Set<number>();
      const isOver = overAfter(limitMs);
      await fc.assert(
        fc.asyncProperty(requestsFor(found, known), async ({ path, raw }) => {
          if (isOver()) return;
          const answer = await bare.request("POST", path, raw === undefined ? {} : { raw });
          seen.add(answer.status);
          expect(complaintAbout(answer, found, document)).toBeUndefined();
        }),
        { numRuns: runs },
      );
      expect(seen).toContain(401);
      expect(seen).not.toContain(201);
      expect(await setUp(bare)).not.toBe("");
      await bare.stop();
    });

    test("changes nothing it may not: the accounts and tables are still there", async () => {
      const administrator = await logIn(service, ADMIN);
      expect(await idOf(service, administrator, ADMIN)).toBe(1);
      expect((await service.request("GET", "/api/public")).status).toBe(200);
    });
  });
}

/** Its answer to whom it lets in does not end. */
function isEndless({ responses }: Operation): boolean {
  return responses["200"]?.content?.["text/event-stream"] !== undefined;
}

/** @returns whether the time is over; never so for who asks first, however slow the machine is */
function overAfter(limitMs: number): () => boolean {
  const endsAt = performance.now() + limitMs;
  let asked = 0;
  return () => asked++ > 0 && performance.now() > endsAt;
}

/** Checks that would leave this machine are defects of the test, and answered as such: with 500. */
const sockets = new NodeSockets();
const onThisMachine: CheckOptions = {
  handshakeMs: 50,
  resolver: { resolve: async () => [] },
  sockets: {
    connect: (address, port, signal) => {
      if (!/^(127\.|::1$)/.test(address)) throw new Error(`${address} is not on this machine`);
      return sockets.connect(address, port, signal);
    },
  },
};

/** What is wrong with an answer, in words; undefined when nothing is. */
function complaintAbout(
  { status, headers, body }: Answer,
  operation: Operation,
  document: OpenApiDocument,
): string | undefined {
  const described = operation.responses[status];
  // There may be no node to name: that is no failure of the service.
  const hasFailed = status >= 500 && body.code !== "no_eligible_node";
  if (hasFailed) return `${status}: ${JSON.stringify(body)}`;
  if (!described) return `${status} is not in the description: ${JSON.stringify(body)}`;
  if (!headers["x-request-id"]) return "the answer has no request id";
  if (!described.content) return undefined;
  const [type = ""] = headers["content-type"]?.split(";") ?? [];
  const media = described.content[type];
  if (!media) return `an answer of the type ${type} is not described`;
  const name = media.schema.$ref?.split("/").at(-1);
  const schema = name === undefined ? media.schema : document.components.schemas[name];
  const objection = schema ? objectionTo(body, schema) : `${name} is not described`;
  return objection ?? (status >= 400 ? complaintAboutRefusal(body) : undefined);
}

function complaintAboutRefusal({ error }: { error: string }): string | undefined {
  if (!/\S \S/.test(error) || error.length > 600) return `no sentence: ${error.slice(0, 700)}`;
  return /\n|\bat \w+ \(|node:|select |insert into|sqlite|postgres|kysely/i.test(error)
    ? `too much said: ${error}`
    : undefined;
}
