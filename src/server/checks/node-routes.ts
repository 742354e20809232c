import { NodeChecks } from "../../shared/api/node-checks.ts";
import { NodePath } from "../../shared/api/nodes.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { NodeChecksView } from "./node-checks.ts";

export interface NodeCheckParts {
  nodeChecks: NodeChecksView;
  auth: Auth;
}

export function registerNodeCheckRoutes(app: App, { nodeChecks, auth }: NodeCheckParts): void {
  app.get(
    "/api/nodes/:id/checks",
    {
      onRequest: auth.user,
      schema: {
        tags: ["nodes"],
        security: [{ session: [] }],
        summary: "What background checks show of one of your nodes",
        description:
          "Where CHECK_INTERVAL_SECONDS is set, the service connects to each node now and then.",
        params: NodePath,
        response: { 200: NodeChecks, ...refusals(401, 403, 404, 503) },
      },
    },
    (request) => nodeChecks.get(callerOf(request), request.params.id),
  );
}
