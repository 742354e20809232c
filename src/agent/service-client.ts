import { outcomeOf, type Outcome } from "./outcome.ts";
import { parseRetryAfter } from "../shared/retry-after.ts";
import { toBody, type Identity, type Report } from "./report.ts";

const DEADLINE_MS = 15_000;
const BODY_LENGTH = 64 << 10;

/** Sends reports to the service. */
export class ServiceClient {
  /** Without a slash at its end. */
  readonly #url: string;
  readonly #identity: Identity;
  readonly #now: () => number;

  constructor(url: string, identity: Identity, now: () => number) {
    this.#url = url;
    this.#identity = identity;
    this.#now = now;
  }

  /** Never rejects. @param signal gives it up at once */
  async report(report: Report, signal: AbortSignal): Promise<Outcome> {
    const body = JSON.stringify(toBody(report, this.#identity));
    return this.#ask(
      "/api/report",
      signal,
      async (response) =>
        outcomeOf(
          response.status,
          await readText(response),
          parseRetryAfter(response.headers.get("retry-after") ?? undefined, this.#now()),
          response.headers.get("location"),
        ),
      { method: "POST", headers: { "content-type": "application/json" }, body },
    );
  }

  /** Whether what is there is a Waypost service, in a sentence when it is not. */
  async findFault(signal: AbortSignal): Promise<string | undefined> {
    const outcome = await this.#ask("/api/system/check-init", signal, async (response) => {
      const text = await readText(response);
      if (response.status === 200 && text.includes('"initialized"')) return { kind: "found" };
      return { kind: "failed", why: `What answers at ${this.#url} is no Waypost service` };
    });
    return "why" in outcome ? outcome.why : undefined;
  }

  async #ask<Result>(
    path: string,
    signal: AbortSignal,
    read: (response: Response) => Promise<Result>,
    request: RequestInit = {},
  ): Promise<Result | (Outcome & { kind: "failed" })> {
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
      const options = { ...request, redirect: "manual", signal: deadline } as const;
      return await read(await fetch(`${this.#url}${path}`, options));
    } catch (error) {
      return { kind: "failed", why: explain(error), retryAfterMs: undefined };
    }
  }
}

async function readText(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > BODY_LENGTH) break;
  }
  return text;
}

const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens at --url",
  ECONNRESET: "The connection was cut",
  UND_ERR_SOCKET: "The connection was cut",
  ENOTFOUND: "The name in --url is unknown",
  EAI_AGAIN: "The name in --url cannot be looked up now",
  EHOSTUNREACH: "There is no way to the host in --url",
  ENETUNREACH: "There is no way to the host in --url",
  ETIMEDOUT: "The host in --url does not answer",
  UND_ERR_CONNECT_TIMEOUT: "The host in --url does not answer",
};

function explain(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
  if (name === "TimeoutError") return `The service did not answer within ${DEADLINE_MS / 1000} s`;
  if (name === "AbortError") return "There was no time left";
  const code = cause?.code ?? "";
  return meanings[code] ?? `The service cannot be reached: ${code || (cause?.message ?? message)}`;
}
