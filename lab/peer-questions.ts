import type { Endpoint } from "./endpoint.ts";

export interface PortQuestion {
  /** 0: one that the system picks. */
  port: number;
}

export interface QueryQuestion extends PortQuestion {
  server: Endpoint;
  timeoutMs: number;
}

export interface SendQuestion {
  to: Endpoint;
  /** The source; what is left out is the system's choice. */
  from: Partial<Endpoint>;
  text: string;
  timeoutMs: number;
}

export interface SayQuestion {
  /** The number of a connection. */
  call: number;
  text: string;
  timeoutMs: number;
}

/** What became of words that were sent. */
export interface Reply {
  /** What came back, undefined when nothing did. */
  text?: string;
  /** Why not: the system's code, such as `ECONNREFUSED`, or `timeout`. */
  error?: string;
}
