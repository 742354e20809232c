import type { LoginAnswer } from "../../shared/api/users.ts";
import { now } from "./clock.ts";
import { Stored } from "./stored.ts";

/** Who is signed in at this browser. */
export interface Session {
  token: string;
  email: string;
  isAdmin: boolean;
  /** ms since 1970 */
  expiresAt: number;
}

/** Why there is no session any more. */
export type SessionEnd = "signed_out" | "expired";

/** The session of this browser, in all its tabs. */
export class SessionKeeper {
  readonly #stored = new Stored("session");
  readonly #listeners = new Set<() => void>();
  #session: Session | undefined;
  #end: SessionEnd | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#read();
    this.#stored.onChange(() => {
      const before = this.#session;
      this.#read();
      // Another tab may have noticed first.
      if (before && !this.#session && before.expiresAt <= now()) this.#end = "expired";
      this.#tell();
    });
  }

  /** The same object until somebody signs in or out. */
  readonly current = (): Session | undefined => this.#session;

  /** How the last session of this page ended; undefined when there was none. */
  get end(): SessionEnd | undefined {
    return this.#end;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  begin({ token, user }: LoginAnswer): void {
    const session = toSession(token, user.email, user.is_admin);
    this.#stored.write(JSON.stringify(session));
    this.#set(session);
    this.#tell();
  }

  finish(end: SessionEnd): void {
    if (!this.#session) return;
    this.#stored.write(null);
    this.#set(undefined);
    this.#end = end;
    this.#tell();
  }

  #read(): void {
    const session = parseSession(this.#stored.read());
    this.#set(session && session.expiresAt > now() ? session : undefined);
  }

  #set(session: Session | undefined): void {
    clearTimeout(this.#timer);
    this.#session = session;
    if (!session) return;
    this.#end = undefined;
    // Timers hold 31 bits of milliseconds.
    const waitMs = Math.min(session.expiresAt - now(), 2 ** 31 - 1);
    this.#timer = setTimeout(() => this.finish("expired"), waitMs);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** @throws Error for a token that says no time of its end */
function toSession(token: string, email: string, isAdmin: boolean): Session {
  const [, claims = ""] = token.split(".");
  const text = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  const { exp } = JSON.parse(text) as { exp?: unknown };
  if (typeof exp !== "number") throw new Error("The session token does not say when it ends");
  return { token, email, isAdmin, expiresAt: exp * 1000 };
}

function parseSession(text: string | null): Session | undefined {
  if (text === null) return undefined;
  try {
    const found = JSON.parse(text) as Partial<Session>;
    const { token, email, isAdmin, expiresAt } = found;
    return typeof token === "string" &&
      typeof email === "string" &&
      typeof isAdmin === "boolean" &&
      typeof expiresAt === "number"
      ? { token, email, isAdmin, expiresAt }
      : undefined;
  } catch {
    // Not written by us: as good as nothing.
    return undefined;
  }
}
