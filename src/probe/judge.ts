import { isEmptyDigest, sameDigest } from "./secret-digest.ts";
import type { Handshake } from "./verdict.ts";

/** Who we say we are. */
export interface Identity {
  networkName: string;
  /** Empty (all zeros) when no secret is shown. */
  secretDigest: Uint8Array;
}

/** What the other side did. */
export interface Findings {
  /** Its valid answer to our hello, if one came. */
  answer: Identity | undefined;
  /** It answered a ping, which it does for those it has admitted. */
  pong: boolean;
  /** It ended the connection itself. */
  closed: boolean;
}

/** The reasons stand in docs/decisions/0004-one-probe-everywhere.md. */
export function judge(asked: Identity, { answer, pong, closed }: Findings): Handshake {
  if (!answer) return "not_overlay";
  if (answer.networkName !== asked.networkName) return pong ? "shared" : "refused";
  if (isEmptyDigest(asked.secretDigest)) return pong ? "ok" : "refused";
  if (sameDigest(answer.secretDigest, asked.secretDigest)) {
    if (pong) return "ok";
    return closed ? "secure_mode" : "refused";
  }
  return pong && isEmptyDigest(answer.secretDigest) ? "ok" : "auth_failed";
}
