import type { BindingOutcome } from "./binding.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import { mappedAddress, type StunMessage } from "./message.ts";

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

const LONGEST_REASON = 100;

export function toObservation(server: Endpoint, outcome: BindingOutcome, at: number): Observation {
  const name = formatEndpoint(server);
  if ("error" in outcome) return failed(name, outcome.error, at);
  const mapped = readMapped(outcome.response);
  if (typeof mapped === "string") return failed(name, `${name} ${mapped}`, at);
  return { at, server: name, mapped, rttMs: outcome.rttMs, error: null };
}

function failed(server: string, error: string, at: number): Observation {
  return { at, server, mapped: null, rttMs: null, error };
}

/** The address, or what the server did instead of telling it. */
function readMapped(response: StunMessage): Endpoint | string {
  if (response.kind === "error") {
    const { code, reason = "" } = response.attributes.error ?? {};
    const what = `${code ?? "without a code"} ${printable(reason)}`.trimEnd();
    return `answered with the error ${what}`;
  }
  if (response.unknownRequired.length > 0) {
    const types = response.unknownRequired.slice(0, 4).map((type) => `0x${hex(type)}`);
    return `demands what is unknown here: ${types.join(", ")}`;
  }
  const mapped = mappedAddress(response);
  return mapped && mapped.port > 0 ? mapped : "answered without an address";
}

/** The reason is a stranger's text. */
function printable(reason: string): string {
  const text = reason.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ").trim();
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

function hex(type: number): string {
  return type.toString(16).padStart(4, "0");
}
