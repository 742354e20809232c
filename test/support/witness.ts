import { Client, type Answer, type RequestOptions } from "./client.ts";

/** Writes down each request that was not answered with 200, and when. */
export class Witness extends Client {
  readonly failures: string[] = [];
  /** Requests that were answered with 200. */
  count = 0;

  override async request(method: string, path: string, options?: RequestOptions): Promise<Answer> {
    const sentAt = new Date().toISOString();
    const note = (what: string) =>
      this.failures.push(`${method} ${path} ${sentAt} to ${new Date().toISOString()}: ${what}`);
    let answer: Answer;
    try {
      answer = await super.request(method, path, options);
    } catch (error) {
      note((error as Error).message);
      throw error;
    }
    if (answer.status === 200) this.count++;
    else note(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
}
