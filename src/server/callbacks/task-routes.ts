import {
  DryRunAnswer,
  IdPath,
  NewTask,
  RunChanged,
  RunNowQuery,
  TaskAnswer,
  TaskChange,
  TaskChanged,
  TaskList,
} from "../../shared/api/callbacks.ts";
import { MessageBody } from "../../shared/api/common.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { CallbackService } from "./service.ts";
import type { CallbackTasks } from "./tasks.ts";

export interface CallbackTaskParts {
  callbackTasks: CallbackTasks;
  callbacks: CallbackService;
  auth: Auth;
}

const tags = ["callbacks"];
const security = [{ session: [] }];

export function registerCallbackTaskRoutes(app: App, parts: CallbackTaskParts): void {
  registerReading(app, parts);
  registerCreation(app, parts);
  registerChanging(app, parts);
  registerRunNow(app, parts);
}

function registerReading(app: App, { callbackTasks, auth }: CallbackTaskParts): void {
  app.get(
    "/api/callbacks/tasks",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List the tasks",
        response: { 200: TaskList, ...refusals(401, 403) },
      },
    },
    async () => ({ tasks: await callbackTasks.list() }),
  );
  app.get(
    "/api/callbacks/tasks/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One task",
        params: IdPath,
        response: { 200: TaskAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ task: await callbackTasks.get(request.params.id) }),
  );
}

function registerCreation(app: App, { callbackTasks, auth }: CallbackTaskParts): void {
  app.post(
    "/api/callbacks/tasks",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Create a task: which changes of a rule go to which account",
        body: NewTask,
        response: { 201: TaskChanged, ...refusals(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const task = await callbackTasks.create(callerOf(request), request.body);
      reply.code(201);
      return { message: "The task is created", task };
    },
  );
}

function registerChanging(app: App, { callbackTasks, auth }: CallbackTaskParts): void {
  app.put(
    "/api/callbacks/tasks/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Change a task",
        description:
          "Runs that wait go to the new account; they are cancelled when the task is switched off or given another rule.",
        params: IdPath,
        body: TaskChange,
        response: { 200: TaskChanged, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const task = await callbackTasks.change(callerOf(request), id, request.body);
      return { message: "The task is changed", task };
    },
  );
  app.delete(
    "/api/callbacks/tasks/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Delete a task; its history stays",
        params: IdPath,
        response: { 200: MessageBody, ...refusals(401, 403, 404) },
      },
    },
    async (request) => {
      await callbackTasks.remove(callerOf(request), request.params.id);
      return { message: "The task is deleted" };
    },
  );
}

function registerRunNow(app: App, { callbacks, auth }: CallbackTaskParts): void {
  app.post(
    "/api/callbacks/tasks/:id/run",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Run a task now, with the live mapping of its rule",
        description:
          "Also where the task is switched off. It is not tried again by itself. A dry run reads and computes what would change, writes nothing and enters no history.",
        params: IdPath,
        querystring: RunNowQuery,
        body: NothingInput,
        response: {
          200: DryRunAnswer,
          202: RunChanged,
          ...refusals(400, 401, 403, 404, 409),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (request.query.dry_run) return { dry_run: await callbacks.dryRun(id) };
      const run = await callbacks.runNow(callerOf(request), id);
      return reply.code(202).send({ message: "The run has been started", run });
    },
  );
}
