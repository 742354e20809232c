import { STATUS_CODES } from "node:http";
import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifySchema } from "fastify";
import { Type } from "typebox";
import { ErrorBody } from "../../shared/api/common.ts";
import { VERSION } from "../version.ts";
import { statusOf } from "./error-statuses.ts";
import type { App } from "./typed-app.ts";

export const DOCUMENT_PATH = "/docs/openapi.json";

const ERROR_NAME = "Error";

const options: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: "3.1.0",
    info: {
      title: "Waypost",
      version: VERSION,
      description:
        "Registry of overlay-network nodes: accounts, node records, live reports and the load-balanced query. " +
        "Watcher of holes through a NAT: rules, their public addresses, and the callbacks and DNS records that follow them.\n\n" +
        "Times are ISO 8601 UTC, bandwidth is in Mbit/s, traffic in GB (10^9 bytes). Every refusal has the body " +
        "`{ error, code, fields? }`. Any path may also answer 405 to a method that it does not know, 408 to a request that does not end " +
        "and 431 to headers larger than 16 KiB.",
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "public", description: "Open to everybody, from pages of any origin too" },
      { name: "checks", description: "Whether a node is up, and who does the checks" },
      { name: "nodes", description: "The node records of the caller" },
      { name: "accounts", description: "Registration, sessions and passwords" },
      { name: "administration", description: "For administrators" },
      { name: "stun", description: "Holes through the NAT; for administrators" },
      {
        name: "callbacks",
        description: "What is kept in step with the holes' addresses; for administrators",
      },
      { name: "domains", description: "Accounts at providers of DNS records; for administrators" },
      { name: "system", description: "Set-up and health" },
    ],
    components: {
      securitySchemes: {
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The token that `POST /api/auth/login` answers",
        },
        check_key: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "`WAYPOST_CHECK_API_KEY`, where it is set",
        },
        metrics: {
          type: "http",
          scheme: "bearer",
          description: "`WAYPOST_METRICS_TOKEN`",
        },
      },
    },
  },
  refResolver: { buildLocalReference: ({ $id }) => (typeof $id === "string" ? $id : "unnamed") },
  transform: ({ schema, url, route }) => ({
    url,
    schema: complete(schema, url, [route.method].flat()),
  }),
  transformObject: (document) => {
    const { openapiObject } = document as { openapiObject: OpenApiDocument };
    for (const path of Object.values(openapiObject.paths ?? {})) {
      for (const operation of Object.values(path)) polish(operation);
    }
    return openapiObject;
  },
};

/** Describes every route that is registered after this call. */
export async function describeRoutes(app: App): Promise<void> {
  const code = Type.Enum(Object.keys(statusOf), { type: "string" });
  const error = { ...ErrorBody, properties: { ...ErrorBody.properties, code } };
  app.addSchema({ $id: ERROR_NAME, ...error });
  await app.register(swagger, options);
}

/** The description as a document and as a page; call it after the routes. */
export async function registerDocs(app: App): Promise<void> {
  app.get(DOCUMENT_PATH, { schema: { hide: true } }, (_request, reply) => {
    void reply.send(app.swagger());
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    theme: { title: "Waypost API" },
    uiConfig: {
      layout: "BaseLayout",
      deepLinking: true,
      docExpansion: "list",
      displayRequestDuration: true,
      validatorUrl: null,
    },
  });
}

interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>;
}

interface Operation {
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema?: { required?: string[] } }>;
  };
  responses: Record<string, { headers?: object }>;
}

const retryAfter = {
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
};

/** What the schema of a route cannot say. */
function polish({ requestBody, responses }: Operation): void {
  const schema = requestBody?.content["application/json"]?.schema;
  // A body of which no field is required may be left out.
  if (requestBody && schema && !schema.required) requestBody.required = false;
  for (const status of ["429", "503"]) {
    const response = responses[status];
    if (response) response.headers = retryAfter;
  }
}

type Responses = Record<string, unknown>;

/** Adds what follows from the kind of a route, so that no route has to say it. */
function complete(
  schema: FastifySchema | undefined,
  url: string,
  methods: readonly string[],
): FastifySchema {
  const responses: Responses = { ...(schema?.response as Responses | undefined) };
  for (const [status, body] of Object.entries(responses)) {
    if (Number(status) >= 400) responses[status] = refusal(Number(status));
    else responses[status] = { description: STATUS_CODES[status], ...(body as object) };
  }
  for (const status of impliedRefusals(schema, url)) responses[status] ??= refusal(status);
  return {
    ...schema,
    response: responses,
    operationId: operationId(methods[0] ?? "GET", url),
  };
}

function refusal(status: number): object {
  return { $ref: `${ERROR_NAME}#`, description: STATUS_CODES[status] };
}

/** Endpoints that answer from memory whatever happens. */
const unfailing: ReadonlySet<string> = new Set([
  "/healthz",
  "/readyz",
  "/api/system/check-init",
  "/api/edgecheck/health",
]);

function impliedRefusals(schema: FastifySchema | undefined, url: string): number[] {
  const statuses: number[] = [];
  if (schema?.body) statuses.push(400, 413, 415);
  if (schema?.querystring) statuses.push(400);
  if (url.includes(":")) statuses.push(404);
  if (!unfailing.has(url)) statuses.push(500);
  if (url !== "/healthz") statuses.push(503);
  return statuses;
}

/** `POST /api/nodes/:id/report-token` → `postNodesByIdReportToken`. */
function operationId(method: string, url: string): string {
  const words = url
    .replace(/^\/api\//, "/")
    .replaceAll(/:(\w)/g, "by-$1")
    .split(/[^a-zA-Z0-9]+/)
    .filter((word) => word !== "");
  return (
    method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("")
  );
}
