import Fastify, {
  LogController,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Logger } from "../lib/logger.ts";
import { addBodyParsers } from "./body-parsers.ts";
import { Refusals } from "./error-handler.ts";
import { StandingHeaders } from "./headers.ts";
import { registerHealthRoutes, type HealthParts } from "./health.ts";
import { BODY_LIMIT_BYTES } from "./json-body.ts";
import { KnownPaths } from "./known-paths.ts";
import { defaultPatience, Listener, type Patience } from "./listener.ts";
import { addManners } from "./manners.ts";
import { RequestIds } from "./request-id.ts";
import type { App } from "./typed-app.ts";
import { validatorCompiler } from "./validator.ts";

export interface HttpOptions {
  trustProxy: boolean | string[];
  publicUrl: string | undefined;
  patience?: Patience;
}

export interface AppParts extends HealthParts {
  http: HttpOptions;
  logger: Logger;
  /** Tells failures of the storage that may pass from defects. */
  isUnavailable: (error: unknown) => boolean;
}

export interface HttpApp {
  app: App;
  listener: Listener;
}

/** Every route of the service, in one list, behind the manners they share. */
export async function buildApp(parts: AppParts): Promise<HttpApp> {
  const refusals = new Refusals(parts.isUnavailable, parts.logger);
  const { app, listener } = createApp(parts, refusals);
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(refusals.answer);
  addBodyParsers(app);
  addManners(app, new StandingHeaders(parts.http.publicUrl), new KnownPaths());

  registerHealthRoutes(app, parts);

  await app.ready();
  return { app, listener };
}

function createApp(parts: AppParts, refusals: Refusals): HttpApp {
  const requestIds = new RequestIds();
  let listener: Listener | undefined;
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: parts.http.trustProxy,
    genReqId: (request) => requestIds.of(request),
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      refusals.answer(error, request, reply);
    },
    serverFactory: (handler) => {
      listener = new Listener(handler, parts.http.patience ?? defaultPatience);
      return listener.server;
    },
  }) as unknown as App;
  if (!listener) throw new Error("Fastify has made no server");
  return { app, listener };
}
