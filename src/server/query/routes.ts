import { QueryAnswer, QueryInput } from "../../shared/api/query.ts";
import { refusals } from "../http/refusals.ts";
import { JSON_TYPE, uncheckedHere } from "../http/sent-as-is.ts";
import type { App } from "../http/typed-app.ts";
import type { QueryService } from "./service.ts";

export interface QueryParts {
  query: Pick<QueryService, "answer">;
}

export function registerQueryRoutes(app: App, { query }: QueryParts): void {
  app.post(
    "/api/query",
    {
      schema: {
        tags: ["public"],
        summary: "Ask which nodes to use now",
        description:
          "Nodes are drawn so that the answers spread load over the fleet; the first is the best draw. " +
          "Every field is optional, and so is the body.",
        body: QueryInput,
        response: { 200: QueryAnswer, ...refusals(400) },
      },
      validatorCompiler: uncheckedHere,
    },
    (request, reply) => {
      void reply.type(JSON_TYPE).send(query.answer(request.body) as never);
    },
  );
}
