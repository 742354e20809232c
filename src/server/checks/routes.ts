import type { FastifyReply, FastifyRequest } from "fastify";
import {
  BatchCheckAnswer,
  BatchCheckBody,
  CheckHealth,
  CheckQuery,
  CheckResult,
} from "../../shared/api/checks.ts";
import { callerGone } from "../http/caller-gone.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { CheckAccess } from "./access.ts";
import type { Asker, CheckService } from "./service.ts";

export interface CheckRouteParts {
  checks: CheckService;
  checkAccess: CheckAccess;
  /** What a request may have dialled. */
  checkPolicyFor: (request: Pick<FastifyRequest, "headers">) => Asker["policy"];
}

export function registerCheckRoutes(app: App, parts: CheckRouteParts): void {
  const { checks, checkAccess } = parts;
  /** Before anything else is said about the request. */
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = request.headers["x-api-key"];
    reply.header("www-authenticate", "ApiKey");
    checkAccess.admit(typeof key === "string" ? key : undefined, request.ip);
    reply.removeHeader("www-authenticate");
  };
  const askerOf = (request: FastifyRequest, reply: FastifyReply): Asker => ({
    address: request.ip,
    policy: parts.checkPolicyFor(request),
    gone: callerGone(reply),
  });
  const shared = { tags: ["checks"], security: [{ check_key: [] }, {}] };

  app.get(
    "/api/edgecheck/check",
    {
      onRequest,
      schema: {
        ...shared,
        summary: "Check whether a node is up",
        description:
          "An offline node is a result, too. After the connection has opened, the handshake of the overlay " +
          "is tried as a member of the named network; that does not change `is_online`.",
        querystring: CheckQuery,
        response: { 200: CheckResult, ...refusals(400, 401, 429) },
      },
    },
    (request, reply) => checks.one(request.query, askerOf(request, reply)),
  );

  app.post(
    "/api/edgecheck/batch-check",
    {
      onRequest,
      schema: {
        ...shared,
        summary: "Check up to 20 nodes at once",
        description:
          "One result per node, in their order. Where one node is wrong, none is checked.",
        body: BatchCheckBody,
        response: { 200: BatchCheckAnswer, ...refusals(400, 401, 429) },
      },
    },
    async (request, reply) => ({
      results: await checks.batch(request.body.nodes, askerOf(request, reply)),
    }),
  );

  app.get(
    "/api/edgecheck/health",
    {
      onRequest,
      schema: {
        ...shared,
        summary: "Who does the checks",
        response: { 200: CheckHealth, ...refusals(401, 429) },
      },
    },
    () => checks.health(),
  );
}
