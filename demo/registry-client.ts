import { planFleet, type Plan } from "./fleet.ts";

/** An answer that is not a success. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
  }
}

/** Talks to the service as owners, nodes and clients do: over HTTP. */
export class RegistryClient {
  readonly #origin: string;
  #session = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Creates the administrator, who owns the nodes. */
  async setUp(secret: string, email: string, password: string): Promise<void> {
    const start = { jwt_secret: secret, email, password };
    await this.request("POST", "/api/system/initialize", start);
    await this.signIn(email, password);
  }

  /** From now on requests are made as this user. */
  async signIn(email: string, password: string): Promise<void> {
    const { token } = await this.request<{ token: string }>("POST", "/api/auth/login", {
      email,
      password,
    });
    this.#session = token;
  }

  /** @returns what was created, in any order */
  async createNodes(count: number): Promise<CreatedNode[]> {
    const created: CreatedNode[] = [];
    const plans = planFleet(count);
    const create = async (): Promise<void> => {
      for (let plan = plans.pop(); plan; plan = plans.pop()) {
        const answer = await this.request<{ node_id: number; report_token: string }>(
          "POST",
          "/api/nodes/",
          plan,
        );
        created.push({ plan, id: answer.node_id, token: answer.report_token });
      }
    };
    await Promise.all(Array.from({ length: 8 }, create));
    return created;
  }

  /** @throws {Refusal} */
  async post<T>(path: string, body: unknown): Promise<T> {
    return this.request<T>("POST", path, body);
  }

  /** @throws {Refusal} */
  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.#session === "" ? {} : { authorization: `Bearer ${this.#session}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) {
      const { status } = response;
      throw new Refusal(status, `${method} ${path} answered ${status}: ${text}`);
    }
    return JSON.parse(text) as T;
  }
}

export interface CreatedNode {
  plan: Plan;
  id: number;
  token: string;
}
