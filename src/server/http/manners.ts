import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import { pathOf, preflightHeaders, type StandingHeaders } from "./headers.ts";
import type { KnownPaths } from "./known-paths.ts";
import type { App } from "./typed-app.ts";
import { refuseUnnamed } from "./validator.ts";
import type { WebFiles } from "./web-files.ts";

export interface Manners {
  headers: StandingHeaders;
  paths: KnownPaths;
  /** Whether the service stops: connections end with the answer that is on its way. */
  isClosing: () => boolean;
  web: WebFiles;
}

/** What every answer has in common, whichever route gives it. */
export function addManners(app: App, { headers, paths, isClosing, web }: Manners): void {
  app.addHook("onRoute", paths.add);
  app.addHook("onRequest", async (request, reply) => {
    greet(headers, request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      throw new AppError("invalid_request", "The header Host is missing");
    }
  });
  app.addHook("preHandler", async (request) => refuseUnnamed(request.params));
  app.addHook("onSend", async (_request, reply) => {
    if (isClosing()) reply.header("connection", "close");
  });
  app.setNotFoundHandler((request, reply) => answerUnrouted({ paths, web }, request, reply));
}

/** The headers that do not depend on the answer. */
export function greet(
  headers: StandingHeaders,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header("x-request-id", request.id);
  reply.headers(headers.for(pathOf(request.raw.url ?? "/")));
}

/** OPTIONS, a method that the path does not know, or no path of ours. */
function answerUnrouted(
  { paths, web }: Pick<Manners, "paths" | "web">,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const path = pathOf(request.raw.url ?? "/");
  const methods = paths.methodsOf(path);
  if (request.method === "OPTIONS" && (methods.length > 0 || path === "*")) {
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    return reply.headers(preflightHeaders(path, methods)).code(204).send();
  }
  // A route may find out itself that there is nothing.
  if (methods.length === 0 || methods.includes(request.method)) {
    const page = web.answerUnknown(request, reply);
    if (page) return page;
    throw new AppError("not_found", "There is nothing at this path");
  }
  reply.header("allow", methods.join(", "));
  throw new AppError(
    "method_not_allowed",
    `This path answers ${methods.join(", ")}, not ${request.method}`,
  );
}
