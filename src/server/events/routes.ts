import type { FastifyReply, FastifyRequest } from "fastify";
import { EventText } from "../../shared/api/events.ts";
import type { Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { AppError } from "../lib/errors.ts";
import type { EventService } from "./service.ts";

export interface EventRouteParts {
  events: EventService;
  auth: Auth;
}

/** Proxies pass each event on as it is, at once; the connection ends with the stream. */
const headers = {
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  connection: "close",
} as const;

export function registerEventRoutes(app: App, { events, auth }: EventRouteParts): void {
  app.get(
    "/api/events",
    {
      onRequest: auth.administrator,
      schema: {
        tags: ["system"],
        security: [{ session: [] }],
        summary: "What happens, as server-sent events",
        description:
          "From the first line on nothing is missed; what was before is not told, `Last-Event-ID` is ignored: after each connect, ask for the lists that are shown. What other instances do with a rule is told some seconds later. The stream ends with the session. Readers that do not keep up are cut off.",
        response: {
          200: { content: { "text/event-stream": { schema: EventText } } },
          ...refusals(401, 403, 503),
        },
      },
    },
    async (request, reply) => {
      const answer = reply.headers(headers).type("text/event-stream");
      // Nobody would read it, and it would never end.
      if (request.method === "HEAD") return answer.send("");
      const stream = await events.read(() => mayStay(auth, request, reply));
      return answer.send(stream as never);
    },
  );
}

/** While it cannot be found out, nothing speaks against it. */
async function mayStay(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  try {
    await auth.administrator(request, reply);
    return true;
  } catch (error) {
    return !(error instanceof AppError);
  }
}
