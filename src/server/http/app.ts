import Fastify, {
  LogController,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Logger } from "../lib/logger.ts";
import { registerQueryRoutes, type QueryParts } from "../query/routes.ts";
import { registerReportRoutes, type ReportParts } from "../reports/routes.ts";
import { addBodyParsers } from "./body-parsers.ts";
import { Refusals } from "./error-handler.ts";
import { StandingHeaders } from "./headers.ts";
import { registerHealthRoutes, type HealthParts } from "./health.ts";
import { BODY_LIMIT_BYTES } from "./json-body.ts";
import { KnownPaths } from "./known-paths.ts";
import { defaultPatience, Listener, type Patience } from "./listener.ts";
import { addManners, greet } from "./manners.ts";
import { RequestIds } from "./request-id.ts";
import type { App } from "./typed-app.ts";
import { validatorCompiler } from "./validator.ts";

export interface HttpOptions {
  trustProxy: boolean | string[];
  publicUrl: string | undefined;
  patience?: Patience;
}

export interface AppParts extends HealthParts, QueryParts, ReportParts {
  http: HttpOptions;
  logger: Logger;
  /** Tells failures of the storage that may pass from defects. */
  isUnavailable: (error: unknown) => boolean;
}

export interface HttpApp {
  app: App;
  listener: Listener;
  /** Lets requests that have begun end, for `deadlineMs` at most. */
  close(deadlineMs: number): Promise<void>;
}

/** Every route of the service, in one list, behind the manners they share. */
export async function buildApp(parts: AppParts): Promise<HttpApp> {
  const refusals = new Refusals(parts.isUnavailable, parts.logger);
  const headers = new StandingHeaders(parts.http.publicUrl);
  const { app, listener } = createApp(parts, refusals, headers);
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(refusals.answer);
  addBodyParsers(app);
  addManners(app, { headers, paths: new KnownPaths(), isClosing: () => listener.isClosing });

  registerHealthRoutes(app, parts);
  registerReportRoutes(app, parts);
  registerQueryRoutes(app, parts);

  await app.ready();
  return {
    app,
    listener,
    close: async (deadlineMs) => {
      await Promise.all([listener.close(deadlineMs), app.close()]);
    },
  };
}

function createApp(
  { http, logger }: AppParts,
  refusals: Refusals,
  headers: StandingHeaders,
): { app: App; listener: Listener } {
  const requestIds = new RequestIds();
  let listener: Listener | undefined;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: http.trustProxy,
    genReqId: (request) => requestIds.of(request),
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      greet(headers, request, reply);
      refusals.answer(error, request, reply);
    },
    serverFactory: (handler) => {
      listener = new Listener(handler, http.patience ?? defaultPatience);
      return listener.server;
    },
  }) as unknown as App;
  if (!listener) throw new Error("Fastify has made no server");
  return { app, listener };
}
