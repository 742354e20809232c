import type { Endpoint } from "./endpoint.ts";

/** What one binding transaction showed. Exactly one of `mapped` and `error` is set. */
export interface Observation {
  /** Milliseconds since 1970 when the answer came or was given up. */
  at: number;
  /** The address that was asked, as `formatEndpoint` writes it. */
  server: string;
  mapped: Endpoint | null;
  /** Null on failure, and when more than one request was sent: nobody knows which was answered. */
  rttMs: number | null;
  /** A sentence. */
  error: string | null;
}
