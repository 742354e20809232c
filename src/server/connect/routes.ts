import { Type } from "typebox";
import { ConnectHeaders, ConnectQuery } from "../../shared/api/connect.ts";
import { refusals } from "../http/refusals.ts";
import { uncheckedHere } from "../http/sent-as-is.ts";
import type { App } from "../http/typed-app.ts";
import type { ConnectService } from "./service.ts";

export interface ConnectParts {
  connect: Pick<ConnectService, "answer">;
}

const PeerUrl = Type.String({ description: "One peer URL and a line end" });

export function registerConnectRoutes(app: App, { connect }: ConnectParts): void {
  app.get(
    "/connect",
    {
      schema: {
        tags: ["public"],
        summary: "Name one node, as a client of the overlay reads it",
        description:
          "For clients that look their peer up over HTTP. A network that names itself gets the same " +
          "node for as long as that one has room; without a name, nodes are drawn as by the query.",
        querystring: ConnectQuery,
        headers: ConnectHeaders,
        response: {
          200: { content: { "text/plain": { schema: PeerUrl } } },
          302: { content: { "text/plain": { schema: PeerUrl } } },
          ...refusals(400, 503),
        },
      },
      validatorCompiler: uncheckedHere,
    },
    (request, reply) => {
      const words = request.query as Record<string, unknown>;
      const { status, headers, body } = connect.answer(
        request.headers["x-network-name"] ?? "",
        words,
      );
      void reply.code(status).headers(headers);
      void reply.send(body);
    },
  );
}
