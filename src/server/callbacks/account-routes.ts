import {
  AccountAnswer,
  AccountChange,
  AccountChanged,
  AccountList,
  IdPath,
  NewAccount,
  TestAnswer,
} from "../../shared/api/callbacks.ts";
import { MessageBody } from "../../shared/api/common.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { CallbackAccounts } from "./accounts.ts";

export interface CallbackAccountParts {
  callbackAccounts: CallbackAccounts;
  auth: Auth;
}

const tags = ["callbacks"];
const security = [{ session: [] }];

export function registerCallbackAccountRoutes(app: App, parts: CallbackAccountParts): void {
  registerReading(app, parts);
  registerCreation(app, parts);
  registerChanging(app, parts);
  registerTest(app, parts);
}

function registerReading(app: App, { callbackAccounts, auth }: CallbackAccountParts): void {
  app.get(
    "/api/callbacks/accounts",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List the accounts of targets",
        response: { 200: AccountList, ...refusals(401, 403) },
      },
    },
    async () => ({ accounts: await callbackAccounts.list() }),
  );
  app.get(
    "/api/callbacks/accounts/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One account",
        params: IdPath,
        response: { 200: AccountAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ account: await callbackAccounts.get(request.params.id) }),
  );
}

function registerCreation(app: App, { callbackAccounts, auth }: CallbackAccountParts): void {
  app.post(
    "/api/callbacks/accounts",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Create an account",
        description: "Templates are read and tried; what is wrong with them is answered with 400.",
        body: NewAccount,
        response: { 201: AccountChanged, ...refusals(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const account = await callbackAccounts.create(callerOf(request), request.body);
      reply.code(201);
      return { message: "The account is created", account };
    },
  );
}

function registerChanging(app: App, { callbackAccounts, auth }: CallbackAccountParts): void {
  app.put(
    "/api/callbacks/accounts/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Change an account",
        description:
          "Secrets that are left out stay as they are; runs that wait use the new account.",
        params: IdPath,
        body: AccountChange,
        response: { 200: AccountChanged, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const account = await callbackAccounts.change(callerOf(request), id, request.body);
      return { message: "The account is changed", account };
    },
  );
  app.delete(
    "/api/callbacks/accounts/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Delete an account that no task uses",
        params: IdPath,
        response: { 200: MessageBody, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      await callbackAccounts.remove(callerOf(request), request.params.id);
      return { message: "The account is deleted" };
    },
  );
}

function registerTest(app: App, { callbackAccounts, auth }: CallbackAccountParts): void {
  app.post(
    "/api/callbacks/accounts/:id/test",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Look whether the target can be reached with this account",
        description:
          "Only reads at the target and says what it found. A webhook is sent the event `test`.",
        params: IdPath,
        body: NothingInput,
        response: { 200: TestAnswer, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => callbackAccounts.test(request.params.id),
  );
}
