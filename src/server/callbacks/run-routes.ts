import { Readable } from "node:stream";
import { Type } from "typebox";
import {
  callbackLimits,
  ExportQuery,
  IdPath,
  NextAttempt,
  PreviewAnswer,
  PreviewBody,
  RunAnswer,
  RunChanged,
  RunList,
  RunsQuery,
} from "../../shared/api/callbacks.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { exportRuns } from "./export.ts";
import type { CallbackService } from "./service.ts";

export interface CallbackRunParts {
  callbacks: CallbackService;
  auth: Auth;
}

const tags = ["callbacks"];
const security = [{ session: [] }];

export function registerCallbackRunRoutes(app: App, parts: CallbackRunParts): void {
  registerReading(app, parts);
  registerExport(app, parts);
  registerChanging(app, parts);
  registerPreview(app, parts);
}

function registerReading(app: App, { callbacks, auth }: CallbackRunParts): void {
  app.get(
    "/api/callbacks/runs",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "The history of runs, newest first",
        querystring: RunsQuery,
        response: { 200: RunList, ...refusals(400, 401, 403) },
      },
    },
    async (request) => {
      const { task_id: taskId, rule_id: ruleId, status, before } = request.query;
      const { limit = callbackLimits.runsUnasked } = request.query;
      return { runs: await callbacks.list({ taskId, ruleId, status }, { limit, before }) };
    },
  );
  app.get(
    "/api/callbacks/runs/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One run with its attempts",
        description:
          "Requests and answers are kept without secrets, bodies up to 64 KiB. What a target answered is not to be trusted.",
        params: IdPath,
        response: { 200: RunAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ run: await callbacks.get(request.params.id) }),
  );
  app.get(
    "/api/callbacks/runs/:id/next-attempt",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "When a run that waits is tried again",
        params: IdPath,
        response: { 200: NextAttempt, ...refusals(401, 403, 404) },
      },
    },
    async (request) => callbacks.nextAttempt(request.params.id),
  );
}

const mediaTypes = { csv: "text/csv; charset=utf-8", json: "application/json" } as const;

function registerExport(app: App, { callbacks, auth }: CallbackRunParts): void {
  app.get(
    "/api/callbacks/runs/export",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "The history of runs as a file",
        querystring: ExportQuery,
        response: {
          200: {
            content: {
              "text/csv": { schema: Type.String() },
              "application/json": { schema: RunList },
            },
          },
          ...refusals(400, 401, 403),
        },
      },
    },
    async (request, reply) => {
      const { format, task_id: taskId, rule_id: ruleId, status } = request.query;
      const filter = { taskId, ruleId, status };
      const parts = await exportRuns(format, (page) => callbacks.list(filter, page));
      return reply
        .type(mediaTypes[format])
        .header("content-disposition", `attachment; filename="callback-runs.${format}"`)
        .send(Readable.from(parts) as never);
    },
  );
}

function registerChanging(app: App, { callbacks, auth }: CallbackRunParts): void {
  app.post(
    "/api/callbacks/runs/:id/retry",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Try again what an earlier run tried, as a new run",
        description:
          "With the mapping as it is now. A run that waits for its next try is replaced.",
        params: IdPath,
        body: NothingInput,
        response: { 201: RunChanged, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const run = await callbacks.retry(callerOf(request), request.params.id);
      reply.code(201);
      return { message: "A new run has been started", run };
    },
  );
  app.post(
    "/api/callbacks/runs/:id/cancel",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "End a run that is not finished",
        description:
          "One that is being tried is broken off; whether the target has heard of it by then is not known.",
        params: IdPath,
        body: NothingInput,
        response: { 200: RunChanged, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const run = await callbacks.cancel(callerOf(request), request.params.id);
      const isOver = run.status === "cancelled";
      return { message: isOver ? "The run is cancelled" : "The run is being ended", run };
    },
  );
}

function registerPreview(app: App, { callbacks, auth }: CallbackRunParts): void {
  app.post(
    "/api/callbacks/preview",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "What a template becomes with the live mapping of a rule",
        body: PreviewBody,
        response: { 200: PreviewAnswer, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => ({ preview: await callbacks.preview(request.body) }),
  );
}
