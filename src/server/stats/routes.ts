import { NodePath } from "../../shared/api/nodes.ts";
import { FleetHistory, HistoryQuery, NodeHistory, Stats } from "../../shared/api/stats.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import { JSON_TYPE } from "../http/sent-as-is.ts";
import type { App } from "../http/typed-app.ts";
import type { StatsService } from "./service.ts";

export interface StatsParts {
  stats: StatsService;
  auth: Auth;
}

export function registerStatsRoutes(app: App, { stats, auth }: StatsParts): void {
  app.get(
    "/api/stats",
    {
      schema: { tags: ["public"], summary: "The fleet in numbers", response: { 200: Stats } },
    },
    (_request, reply) => {
      void reply.type(JSON_TYPE).send(stats.answer() as never);
    },
  );
  app.get(
    "/api/stats/history",
    {
      schema: {
        tags: ["public"],
        summary: "The fleet over time",
        querystring: HistoryQuery,
        response: { 200: FleetHistory, ...refusals(400, 503) },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "public, max-age=5");
      return stats.fleetHistory(request.query.range ?? "24h");
    },
  );
  app.get(
    "/api/public/nodes/:id/history",
    {
      schema: {
        tags: ["public"],
        summary: "One node of the public list over time",
        params: NodePath,
        querystring: HistoryQuery,
        response: { 200: NodeHistory, ...refusals(400, 404, 503) },
      },
    },
    async (request, reply) => {
      const history = await stats.listedHistory(request.params.id, request.query.range ?? "24h");
      void reply.header("cache-control", "public, max-age=5");
      return history;
    },
  );
  app.get(
    "/api/nodes/:id/history",
    {
      onRequest: auth.user,
      schema: {
        tags: ["nodes"],
        security: [{ session: [] }],
        summary: "One of your nodes over time",
        params: NodePath,
        querystring: HistoryQuery,
        response: { 200: NodeHistory, ...refusals(400, 401, 403, 404, 503) },
      },
    },
    (request) =>
      stats.nodeHistory(callerOf(request), request.params.id, request.query.range ?? "24h"),
  );
}
