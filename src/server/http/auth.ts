import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import type { Caller } from "../users/caller.ts";

/** Turns the `Authorization` header into the account it stands for. */
export interface Authenticator {
  /** @throws AppError unauthorized */
  authenticate(authorization: string | undefined): Promise<Caller>;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Hooks for routes that need an account. They run as `onRequest`, so that a caller without a
 * session learns nothing about what else is wrong with the request.
 */
export interface Auth {
  user: Hook;
  administrator: Hook;
}

const callers = new WeakMap<FastifyRequest, Caller>();

export function createAuth(authenticator: Authenticator): Auth {
  const user: Hook = async (request) => {
    callers.set(request, await authenticator.authenticate(request.headers.authorization));
  };
  const administrator: Hook = async (request, reply) => {
    await user(request, reply);
    if (!callerOf(request).isAdmin) {
      throw new AppError("forbidden", "Only an administrator may do this");
    }
  };
  return { user, administrator };
}

/** The account of a request that passed one of the hooks. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error("the route has no authentication hook");
  return caller;
}
