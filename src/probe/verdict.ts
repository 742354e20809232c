/** What the attempt to shake hands as a member of the overlay network showed. */
export const handshakes = [
  "ok",
  "auth_failed",
  "shared",
  "refused",
  "secure_mode",
  "not_overlay",
  "not_tried",
] as const;
export type Handshake = (typeof handshakes)[number];

/** What one check found. */
export type Verdict =
  | { isOnline: true; /** Of the TCP connect, rounded. */ latencyMs: number; handshake: Handshake }
  | { isOnline: false; /** A sentence for whoever asked. */ error: string };
