import { MessageBody } from "../../shared/api/common.ts";
import {
  AdminNodeChange,
  AdminNodesAnswer,
  AdminNodesQuery,
  NodePath,
  nodesPerPage,
} from "../../shared/api/nodes.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { NodeService } from "./service.ts";

export interface AdminNodeParts {
  nodes: NodeService;
  auth: Auth;
}

const tags = ["administration"];
const security = [{ session: [] }];

export function registerAdminNodeRoutes(app: App, { nodes, auth }: AdminNodeParts): void {
  app.get(
    "/api/admin/nodes",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List the nodes of all owners",
        querystring: AdminNodesQuery,
        response: { 200: AdminNodesAnswer, ...refusals(400, 401, 403) },
      },
    },
    async (request) => {
      const { limit = nodesPerPage, after = 0, ...filter } = request.query;
      return { nodes: await nodes.listAll({ limit, after }, filter) };
    },
  );
  app.put(
    "/api/admin/nodes/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Switch a node on or off",
        description: "A node that is off appears in no public list, query or statistic.",
        params: NodePath,
        body: AdminNodeChange,
        response: { 200: MessageBody, ...refusals(400, 401, 403, 404, 503) },
      },
    },
    async (request) => {
      await nodes.administer(callerOf(request), request.params.id, request.body);
      return { message: "Node updated" };
    },
  );
}
