import { MessageBody } from "../../shared/api/common.ts";
import {
  DomainAccountAnswer,
  DomainAccountChange,
  DomainAccountChanged,
  DomainAccountList,
  DomainPath,
  DomainTestAnswer,
  NewDomainAccount,
} from "../../shared/api/domains.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { DomainAccounts } from "./service.ts";

export interface DomainParts {
  domainAccounts: DomainAccounts;
  auth: Auth;
}

const tags = ["domains"];
const security = [{ session: [] }];

export function registerDomainRoutes(app: App, parts: DomainParts): void {
  registerReading(app, parts);
  registerCreation(app, parts);
  registerChanging(app, parts);
  registerTest(app, parts);
}

function registerReading(app: App, { domainAccounts, auth }: DomainParts): void {
  app.get(
    "/api/domains/accounts",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List the accounts at providers of DNS records",
        response: { 200: DomainAccountList, ...refusals(401, 403) },
      },
    },
    async () => ({ accounts: await domainAccounts.list() }),
  );
  app.get(
    "/api/domains/accounts/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One account",
        params: DomainPath,
        response: { 200: DomainAccountAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ account: await domainAccounts.get(request.params.id) }),
  );
}

function registerCreation(app: App, { domainAccounts, auth }: DomainParts): void {
  app.post(
    "/api/domains/accounts",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Create an account",
        description: "The provider is not asked: see the account's test.",
        body: NewDomainAccount,
        response: { 201: DomainAccountChanged, ...refusals(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const account = await domainAccounts.create(callerOf(request), request.body);
      reply.code(201);
      return { message: "The account is created", account };
    },
  );
}

function registerChanging(app: App, { domainAccounts, auth }: DomainParts): void {
  app.put(
    "/api/domains/accounts/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Change an account",
        description: "Secrets that are left out stay as they are.",
        params: DomainPath,
        body: DomainAccountChange,
        response: { 200: DomainAccountChanged, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const account = await domainAccounts.change(callerOf(request), id, request.body);
      return { message: "The account is changed", account };
    },
  );
  app.delete(
    "/api/domains/accounts/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Delete an account that no callback account uses",
        params: DomainPath,
        response: { 200: MessageBody, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      await domainAccounts.remove(callerOf(request), request.params.id);
      return { message: "The account is deleted" };
    },
  );
}

function registerTest(app: App, { domainAccounts, auth }: DomainParts): void {
  app.post(
    "/api/domains/accounts/:id/test",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Look whether the provider takes the account",
        description: "Only reads there, and says what it found.",
        params: DomainPath,
        body: NothingInput,
        response: { 200: DomainTestAnswer, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => domainAccounts.test(request.params.id),
  );
}
