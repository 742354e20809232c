import type { Db } from "../database/database.ts";
import { AppError } from "../lib/errors.ts";
import type { Caller } from "./caller.ts";
import type { SessionTokens } from "./session-token.ts";
import { findUser } from "./store.ts";

/**
 * Finds the account behind an `Authorization` header (the Authenticator of http/auth.ts). The
 * account is read on each request, so that a demotion, a new password, "log out everywhere" or the
 * end of the account takes effect at once, on every instance.
 */
export class SessionService {
  readonly #db: Db;
  readonly #tokens: SessionTokens;

  constructor(db: Db, tokens: SessionTokens) {
    this.#db = db;
    this.#tokens = tokens;
  }

  /** @throws AppError unauthorized */
  async authenticate(authorization: string | undefined): Promise<Caller> {
    const token = /^bearer +([\w.-]+)$/i.exec(authorization?.trim() ?? "")?.[1];
    if (!token) {
      throw new AppError(
        "unauthorized",
        "Log in and send the header Authorization: Bearer <token>",
      );
    }
    const session = await this.#tokens.read(token);
    const user = session && (await findUser(this.#db, session.userId));
    if (!user || user.disabled || user.sessionVersion !== session?.version) {
      throw new AppError("unauthorized", "The session has ended or is not valid; log in again");
    }
    return { userId: user.id, email: user.email, isAdmin: user.isAdmin };
  }
}
