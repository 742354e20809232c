import { MessageBody } from "../../shared/api/common.ts";
import {
  ChangePasswordInput,
  LoginAnswer,
  LoginInput,
  MailInput,
  Me,
  NothingInput,
  RegisterAnswer,
  RegisterInput,
  ResetPasswordInput,
  VerifyQuery,
} from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { toIso } from "../lib/clock.ts";
import type { AccountService } from "./service.ts";

export interface UserParts {
  accounts: AccountService;
  auth: Auth;
  /** Whether the registration answers the verification token itself. */
  exposeVerificationToken: boolean;
}

const tags = ["accounts"];
const security = [{ session: [] }];

/** The same words whether the address has an account or not. */
const MAIL_ANSWER = "If the address has an account that this is meant for, a mail is on its way";

export function registerUserRoutes(app: App, parts: UserParts): void {
  registerEntrance(app, parts);
  registerMailRoutes(app, parts);
  registerOwnAccount(app, parts);
}

function registerEntrance(app: App, { accounts, exposeVerificationToken }: UserParts): void {
  app.post(
    "/api/auth/register",
    {
      schema: {
        tags,
        summary: "Register an account",
        description: "The address must be verified before the account can log in.",
        body: RegisterInput,
        response: { 201: RegisterAnswer, ...refusals(400, 429, 503) },
      },
    },
    async (request, reply) => {
      const token = await accounts.register({ ...request.body, from: request.ip });
      reply.code(201);
      return {
        message: "Registered; verify the e-mail address to log in",
        ...(exposeVerificationToken ? { verification_token: token } : {}),
      };
    },
  );
  app.post(
    "/api/auth/login",
    {
      schema: {
        tags,
        summary: "Log in",
        body: LoginInput,
        response: { 200: LoginAnswer, ...refusals(400, 401, 403, 429, 503) },
      },
    },
    async (request) => {
      const { user, token } = await accounts.logIn({ ...request.body, from: request.ip });
      return { token, user: { email: user.email, is_admin: user.isAdmin } };
    },
  );
  app.get(
    "/api/auth/verify",
    {
      // A link checker that only looks must not use the token up.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Verify an e-mail address",
        querystring: VerifyQuery,
        response: { 200: MessageBody, ...refusals(400) },
      },
    },
    async (request) => {
      await accounts.verify(request.query.token);
      return { message: "The e-mail address is verified; you can log in now" };
    },
  );
}

function registerMailRoutes(app: App, { accounts }: UserParts): void {
  app.post(
    "/api/auth/resend-verification",
    {
      schema: {
        tags,
        summary: "Ask for another verification mail",
        description: "Answers the same for every address. Without mail set up, nothing is sent.",
        body: MailInput,
        response: { 200: MessageBody, ...refusals(400, 429) },
      },
    },
    (request) => {
      accounts.resendVerification(request.body.email, request.ip);
      return { message: MAIL_ANSWER };
    },
  );
  app.post(
    "/api/auth/forgot-password",
    {
      schema: {
        tags,
        summary: "Ask for a mail to set a new password with",
        description: "Answers the same for every address. Without mail set up, nothing is sent.",
        body: MailInput,
        response: { 200: MessageBody, ...refusals(400, 429) },
      },
    },
    (request) => {
      accounts.forgotPassword(request.body.email, request.ip);
      return { message: MAIL_ANSWER };
    },
  );
  app.post(
    "/api/auth/reset-password",
    {
      schema: {
        tags,
        summary: "Set a new password with a reset token",
        description: "Verifies the address too, and ends every session of the account.",
        body: ResetPasswordInput,
        response: { 200: MessageBody, ...refusals(400, 503) },
      },
    },
    async (request) => {
      await accounts.resetPassword(request.body.token, request.body.password);
      return { message: "The new password is set; log in with it" };
    },
  );
}

function registerOwnAccount(app: App, { accounts, auth }: UserParts): void {
  app.get(
    "/api/auth/me",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "The account of the session",
        response: { 200: Me, ...refusals(401) },
      },
    },
    async (request) => {
      const user = await accounts.get(callerOf(request));
      return {
        email: user.email,
        is_admin: user.isAdmin,
        verified: user.verified,
        created_at: toIso(user.createdAt),
      };
    },
  );
  app.post(
    "/api/auth/change-password",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "Set a new password",
        description: "Ends every session of the account, this one too.",
        body: ChangePasswordInput,
        response: { 200: MessageBody, ...refusals(400, 401, 429, 503) },
      },
    },
    async (request) => {
      const { current_password: current, new_password: next } = request.body;
      await accounts.changePassword(callerOf(request), request.ip, { current, next });
      return { message: "The new password is set and every session has ended; log in again" };
    },
  );
  app.post(
    "/api/auth/logout-everywhere",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "End every session of the account",
        body: NothingInput,
        response: { 200: MessageBody, ...refusals(400, 401) },
      },
    },
    async (request) => {
      await accounts.logOutEverywhere(callerOf(request));
      return { message: "Every session has ended" };
    },
  );
}
