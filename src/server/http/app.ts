import Fastify, {
  LogController,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import {
  registerCallbackAccountRoutes,
  type CallbackAccountParts,
} from "../callbacks/account-routes.ts";
import { registerCallbackRunRoutes, type CallbackRunParts } from "../callbacks/run-routes.ts";
import { registerCallbackTaskRoutes, type CallbackTaskParts } from "../callbacks/task-routes.ts";
import { registerNodeCheckRoutes, type NodeCheckParts } from "../checks/node-routes.ts";
import { registerCheckRoutes, type CheckRouteParts } from "../checks/routes.ts";
import { registerConnectRoutes, type ConnectParts } from "../connect/routes.ts";
import { registerDomainRoutes, type DomainParts } from "../domains/routes.ts";
import { registerEventRoutes, type EventRouteParts } from "../events/routes.ts";
import type { Logger } from "../lib/logger.ts";
import { registerAdminNodeRoutes } from "../nodes/admin-routes.ts";
import { registerNodeRoutes, type NodeParts } from "../nodes/routes.ts";
import { registerPublicationRoutes, type PublicationParts } from "../publications/routes.ts";
import { registerPublicRoutes, type PublicParts } from "../public/routes.ts";
import { registerPublicSearchRoutes, type PublicSearchParts } from "../public/search-routes.ts";
import { registerQueryRoutes, type QueryParts } from "../query/routes.ts";
import { registerReportRoutes, type ReportParts } from "../reports/routes.ts";
import { registerStatsRoutes, type StatsParts } from "../stats/routes.ts";
import { registerDiagnoseRoutes, type DiagnoseRouteParts } from "../stun/diagnose-routes.ts";
import { registerStunRoutes, type StunRouteParts } from "../stun/routes.ts";
import { registerSystemRoutes, type SystemRouteParts } from "../system/routes.ts";
import { registerAdminUserRoutes, type AdminUserParts } from "../users/admin-routes.ts";
import { registerUserRoutes, type UserParts } from "../users/routes.ts";
import { registerAgentFile } from "./agent-file.ts";
import { addBodyParsers } from "./body-parsers.ts";
import { Refusals } from "./error-handler.ts";
import { StandingHeaders } from "./headers.ts";
import { HotPath, type HotEndpoint, type HotParts } from "./hot.ts";
import { registerHealthRoutes, type HealthParts } from "./health.ts";
import { BODY_LIMIT_BYTES } from "./json-body.ts";
import { KnownPaths } from "./known-paths.ts";
import { defaultPatience, Listener, MAX_HEADER_BYTES, type Patience } from "./listener.ts";
import { addManners, greet } from "./manners.ts";
import { registerMetricsRoute, type MetricsParts } from "./metrics.ts";
import { describeRoutes, registerDocs } from "./openapi.ts";
import { RequestIds } from "./request-id.ts";
import { measureRoutes, RequestMeter } from "./request-meter.ts";
import { serializerCompiler } from "./serializer.ts";
import { JSON_TYPE } from "./sent-as-is.ts";
import type { App } from "./typed-app.ts";
import { validatorCompiler } from "./validator.ts";
import { WEB_FOLDER, WebFiles } from "./web-files.ts";

export interface HttpOptions {
  trustProxy: boolean | string[];
  publicUrl: string | undefined;
  patience?: Patience;
  /** Where the built web app lies. */
  webFolder?: string;
}

type RouteParts = HealthParts &
  Omit<MetricsParts, "meter"> &
  SystemRouteParts &
  UserParts &
  AdminUserParts &
  NodeParts &
  PublicParts &
  PublicSearchParts &
  StatsParts &
  QueryParts &
  ConnectParts &
  CheckRouteParts &
  NodeCheckParts &
  DiagnoseRouteParts &
  CallbackAccountParts &
  CallbackTaskParts &
  CallbackRunParts &
  DomainParts &
  PublicationParts &
  EventRouteParts &
  StunRouteParts &
  ReportParts;

export interface AppParts extends RouteParts {
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
  const shell = createShell(parts);
  const { app, listener, meter } = shell;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(shell.refusals.answer);
  addBodyParsers(app);
  const web = new WebFiles(parts.http.webFolder ?? WEB_FOLDER, parts.logger);
  addManners(app, { ...shell, paths: new KnownPaths(), web });
  measureRoutes(app, meter);
  await describeRoutes(app);

  registerReportRoutes(app, parts);
  registerQueryRoutes(app, parts);
  registerConnectRoutes(app, parts);
  registerUserRoutes(app, parts);
  registerSystemRoutes(app, parts);
  registerPublicRoutes(app, parts);
  registerPublicSearchRoutes(app, parts);
  registerStatsRoutes(app, parts);
  registerCheckRoutes(app, parts);
  registerNodeRoutes(app, parts);
  registerNodeCheckRoutes(app, parts);
  registerAdminNodeRoutes(app, parts);
  registerAdminUserRoutes(app, parts);
  registerStunRoutes(app, parts);
  registerDiagnoseRoutes(app, parts);
  registerCallbackAccountRoutes(app, parts);
  registerCallbackTaskRoutes(app, parts);
  registerCallbackRunRoutes(app, parts);
  registerDomainRoutes(app, parts);
  registerPublicationRoutes(app, parts);
  registerEventRoutes(app, parts);
  registerHealthRoutes(app, parts);
  registerMetricsRoute(app, { ...parts, meter });
  registerAgentFile(app);
  await registerDocs(app);
  await web.register(app);

  await app.ready();
  return {
    app,
    listener,
    close: async (deadlineMs) => {
      await Promise.all([listener.close(deadlineMs), app.close()]);
    },
  };
}

const NO_QUERY = {};
const JSON_HEADERS = { "content-type": JSON_TYPE };

/** What carries most of the load; each is a route as well. */
function hotEndpoints({ reports, query, connect, publicList, stats }: AppParts): HotEndpoint[] {
  return [
    { method: "POST", path: "/api/report", answer: (input) => reports.accept(input) },
    { method: "POST", path: "/api/query", answer: (input) => query.answer(input) },
    {
      method: "GET",
      path: "/api/public",
      answer: ({ headers }) =>
        publicList.answer(headers["accept-encoding"], headers["if-none-match"], NO_QUERY),
    },
    {
      method: "GET",
      path: "/connect",
      answer: ({ headers }) => connect.answer(String(headers["x-network-name"] ?? ""), NO_QUERY),
    },
    {
      method: "GET",
      path: "/api/stats",
      answer: () => ({ status: 200, headers: JSON_HEADERS, body: stats.answer() }),
    },
  ];
}

interface Shell extends HotParts {
  app: App;
  listener: Listener;
}

/** The server with the hot path before the router. */
function createShell(parts: AppParts): Shell {
  const { http, logger } = parts;
  const patience = http.patience ?? defaultPatience;
  let listener: Listener | undefined;
  const shared: HotParts = {
    refusals: new Refusals(parts.isUnavailable, logger),
    requestIds: new RequestIds(),
    headers: new StandingHeaders(http.publicUrl),
    meter: new RequestMeter(),
    keepAliveMs: patience.idleMs,
    isClosing: () => listener?.isClosing ?? false,
  };
  const hot = new HotPath(hotEndpoints(parts), shared);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    // One proxy in front; what its clients claim beyond that is not believed.
    trustProxy: http.trustProxy === true ? (_address, hop) => hop === 0 : http.trustProxy,
    genReqId: ({ headers }) => shared.requestIds.of(headers["x-request-id"]),
    return503OnClosing: false,
    // A path can be no longer than the headers; one that names nothing is a 404 of its route.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      greet(shared.headers, request, reply);
      shared.refusals.answer(error, request, reply);
    },
    serverFactory: (route) => {
      listener = new Listener((request, response) => {
        if (!hot.take(request, response)) route(request, response);
      }, patience);
      return listener.server;
    },
  }) as unknown as App;
  if (!listener) throw new Error("Fastify has made no server");
  return { ...shared, app, listener };
}
