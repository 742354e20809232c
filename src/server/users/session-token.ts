import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { HOUR_MS, type Clock } from "../lib/clock.ts";

const ALGORITHM = "HS256";
const ISSUER = "waypost";
const AUDIENCE = "waypost-api";
/** RFC 8725 §3.11: a kind of its own, so that no other token of ours can pass for a session. */
const TYPE = "session+jwt";
export const SESSION_LIFETIME_MS = 24 * HOUR_MS;

/** What a session token says; whether it still holds is the account's to decide. */
export interface Session {
  userId: number;
  email: string;
  isAdmin: boolean;
  version: number;
}

/** Signs and checks session tokens. Nothing in a token chooses how it is checked. */
export class SessionTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.#key = new TextEncoder().encode(secret);
    this.#clock = clock;
  }

  async issue(session: Session): Promise<string> {
    const issuedAt = Math.floor(this.#clock.now() / 1000);
    return new SignJWT({ email: session.email, is_admin: session.isAdmin, ver: session.version })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setSubject(String(session.userId))
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SESSION_LIFETIME_MS / 1000)
      .sign(this.#key);
  }

  /** Undefined for anything but an unexpired token of ours with every claim in place. */
  async read(token: string): Promise<Session | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ["sub", "iat", "exp"],
        currentDate: new Date(this.#clock.now()),
      });
      return toSession(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

function toSession({ sub, email, is_admin, ver }: JWTPayload): Session | undefined {
  const isId = typeof sub === "string" && /^[1-9]\d{0,14}$/.test(sub);
  if (!isId || typeof email !== "string" || typeof is_admin !== "boolean") return undefined;
  if (!Number.isSafeInteger(ver)) return undefined;
  return { userId: Number(sub), email, isAdmin: is_admin, version: ver as number };
}
