import type { ErrorBody } from "../../shared/api/common.ts";
import { ApiError, UnreachableError } from "./api-error.ts";
import type { ServiceWords } from "./service-words.ts";
import type { SessionKeeper } from "./session.ts";

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

interface Request {
  query?: QueryValues;
  body?: unknown;
  signal?: AbortSignal;
}

/** Speaks to the service. The caller says what the path answers: a type of src/shared/api. */
export class Api {
  readonly #session: SessionKeeper;
  readonly #said: ServiceWords;

  constructor(session: SessionKeeper, said: ServiceWords) {
    this.#session = session;
    this.#said = said;
  }

  /** @throws ApiError, UnreachableError; so do the others */
  get<T>(path: string, query: QueryValues = {}, signal?: AbortSignal): Promise<T> {
    return this.#ask<T>("GET", path, { query, ...(signal && { signal }) });
  }

  post<T>(path: string, body?: unknown, query: QueryValues = {}): Promise<T> {
    return this.#ask<T>("POST", path, { body, query });
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.#ask<T>("PUT", path, { body });
  }

  delete<T>(path: string): Promise<T> {
    return this.#ask<T>("DELETE", path, {});
  }

  /** The answer as it comes, for streams and downloads. @throws ApiError, UnreachableError */
  async open(method: string, path: string, { query, body, signal }: Request): Promise<Response> {
    const token = this.#session.current()?.token;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    let response: Response;
    try {
      response = await fetch(path + toQueryString(query), {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new UnreachableError("The service does not answer", { cause: error });
    }
    if (response.ok) return response;
    const refusal = await this.#toError(response);
    // A session that was ended elsewhere; a wrong password has a code of its own.
    if (refusal instanceof ApiError && refusal.code === "unauthorized" && token !== undefined) {
      if (this.#session.current()?.token === token) this.#session.finish("expired");
    }
    throw refusal;
  }

  async #toError(response: Response): Promise<Error> {
    const body = await readRefusal(response);
    if (!body)
      return new UnreachableError(`Status ${response.status} did not come from the service`);
    await this.#said.prepare();
    const say = (sentence: string): string => this.#said.say(sentence).text;
    return new ApiError(response.status, {
      code: body.code,
      error: say(body.error),
      fields: (body.fields ?? []).map(({ path, message }) => ({ path, message: say(message) })),
    });
  }

  async #ask<T>(method: string, path: string, request: Request): Promise<T> {
    const response = await this.open(method, path, request);
    try {
      return (await response.json()) as T;
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw new UnreachableError("The answer broke off", { cause: error });
    }
  }
}

function toQueryString(values: QueryValues = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** @returns undefined when somebody between us and the service has answered */
async function readRefusal(response: Response): Promise<ErrorBody | undefined> {
  try {
    const body = (await response.json()) as ErrorBody;
    return typeof body.error === "string" && typeof body.code === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}
