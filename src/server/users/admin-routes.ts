import {
  adminLimits,
  IdPath,
  ResetLinkAnswer,
  UserAnswer,
  UserList,
  UserListQuery,
  UserUpdate,
} from "../../shared/api/admin.ts";
import { MessageBody } from "../../shared/api/common.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { toIso } from "../lib/clock.ts";
import type { UserAdministration } from "./administration.ts";
import { toAdminUser } from "./view.ts";

export interface AdminUserParts {
  userAdministration: UserAdministration;
  auth: Auth;
}

const tags = ["administration"];
const security = [{ session: [] }];

export function registerAdminUserRoutes(app: App, parts: AdminUserParts): void {
  registerReading(app, parts);
  registerChanging(app, parts);
  registerResetLink(app, parts);
}

function registerReading(app: App, { userAdministration, auth }: AdminUserParts): void {
  app.get(
    "/api/admin/users",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List accounts",
        querystring: UserListQuery,
        response: { 200: UserList, ...refusals(400, 401, 403) },
      },
    },
    async (request) => {
      const { limit = adminLimits.users, after = 0, is_admin: isAdmin } = request.query;
      const { search, verified, disabled } = request.query;
      const filter = { search, isAdmin, verified, disabled };
      const users = await userAdministration.list({ limit, after }, filter);
      return { users: users.map(toAdminUser) };
    },
  );
  app.get(
    "/api/admin/users/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One account",
        params: IdPath,
        response: { 200: UserAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ user: toAdminUser(await userAdministration.get(request.params.id)) }),
  );
}

function registerChanging(app: App, { userAdministration, auth }: AdminUserParts): void {
  app.put(
    "/api/admin/users/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Change an account's rights",
        description: "Taking rights away ends every session of the account.",
        params: IdPath,
        body: UserUpdate,
        response: { 200: MessageBody, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { is_admin: isAdmin, disabled } = request.body;
      const { id } = request.params;
      await userAdministration.change(callerOf(request), id, { isAdmin, disabled });
      return { message: "The account is changed" };
    },
  );
  app.delete(
    "/api/admin/users/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Delete an account with its nodes",
        params: IdPath,
        response: { 200: MessageBody, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      await userAdministration.remove(callerOf(request), request.params.id);
      return { message: "The account and its nodes are deleted" };
    },
  );
}

function registerResetLink(app: App, { userAdministration, auth }: AdminUserParts): void {
  app.post(
    "/api/admin/users/:id/reset-link",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Make a token with which the owner can set a new password",
        params: IdPath,
        body: NothingInput,
        response: { 201: ResetLinkAnswer, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { token, expiresAt } = await userAdministration.makeResetToken(callerOf(request), id);
      reply.code(201);
      return {
        message: "Hand this token to the owner; it sets a new password once, within an hour",
        reset_token: token,
        expires_at: toIso(expiresAt),
      };
    },
  );
}
