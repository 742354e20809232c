import { Client, type Answer, type RequestOptions } from "./client.ts";

/** A client that notes how every request ended. */
export class FaultWatch extends Client {
  /** How often each status came back; 0 stands for a connection that ended without an answer. */
  readonly statuses = new Map<number, number>();
  slowestMs = 0;
  /** Answers 503 that did not say when to come back. */
  withoutRetryAfter = 0;

  override async request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const startedAt = performance.now();
    try {
      const answer = await super.request(method, path, options);
      this.#note(answer.status);
      if (answer.status === 503 && !(Number(answer.headers["retry-after"]) > 0)) {
        this.withoutRetryAfter++;
      }
      return answer;
    } catch (error) {
      this.#note(0);
      throw error;
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    }
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  /** Forgets what was noted, so that the next phase is seen by itself. */
  reset(): void {
    this.statuses.clear();
    this.slowestMs = 0;
    this.withoutRetryAfter = 0;
  }

  #note(status: number): void {
    this.statuses.set(status, this.count(status) + 1);
  }
}
