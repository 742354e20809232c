import { Type } from "typebox";
import { NodePath } from "../../shared/api/nodes.ts";
import { PublicListAnswer, PublicListQuery, PublicNodeAnswer } from "../../shared/api/public.ts";
import { refusals } from "../http/refusals.ts";
import { JSON_TYPE, uncheckedHere } from "../http/sent-as-is.ts";
import type { App } from "../http/typed-app.ts";
import type { PublicList } from "./service.ts";

export interface PublicParts {
  publicList: Pick<PublicList, "answer" | "node">;
}

export function registerPublicRoutes(app: App, { publicList }: PublicParts): void {
  app.get(
    "/api/public",
    {
      schema: {
        tags: ["public"],
        summary: "List the nodes",
        description:
          "Every node that is neither expired nor switched off: online first, then by id. " +
          "Answers If-None-Match with 304 while nothing has changed.",
        querystring: PublicListQuery,
        response: { 200: PublicListAnswer, 304: Type.Null(), ...refusals(400) },
      },
      validatorCompiler: uncheckedHere,
    },
    async (request, reply) => {
      const { "accept-encoding": encoding, "if-none-match": tag } = request.headers;
      const query = request.query as Record<string, unknown>;
      const { status, headers, body } = await publicList.answer(joined(encoding), tag, query);
      void reply.code(status as 200).headers(headers);
      return reply.send((status === 304 ? undefined : body) as never);
    },
  );
  app.get(
    "/api/public/nodes/:id",
    {
      schema: {
        tags: ["public"],
        summary: "One node of the list",
        params: NodePath,
        response: { 200: PublicNodeAnswer, ...refusals(404) },
      },
    },
    (request, reply) => {
      void reply.header("cache-control", "public, max-age=5").type(JSON_TYPE);
      void reply.send(publicList.node(request.params.id) as never);
    },
  );
}

function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
