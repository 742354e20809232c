import type { Publication } from "../../src/shared/api/publications.ts";
import type { Answer } from "./client.ts";
import { ADMIN } from "./accounts.ts";
import { BindServer, updateKey } from "./bind-server.ts";
import { queryDns } from "./dns-query.ts";
import { createNode, sendReport, type CreatedNode } from "./nodes.ts";
import type { TestService } from "./service.ts";

export const LISTS = "/api/domains/publications";
/** Of the list that is published. */
export const LIST = "peers.example.com";
const URGENT_MS = 10_000;

/** A service that publishes lists of nodes at a name server. */
export class PublishedList {
  readonly service: TestService;
  readonly token: string;
  readonly nodes = new Map<string, CreatedNode>();

  constructor(service: TestService, token: string) {
    this.service = service;
    this.token = token;
  }

  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const { token } = this;
    return this.service.request(method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
  }

  /** A node that reports. */
  async addNode(name: string, fields: Record<string, unknown> = {}): Promise<number> {
    const node = await createNode(this.service, this.token, { node_name: name, ...fields });
    this.nodes.set(name, node);
    await this.report(name);
    return node.id;
  }

  async report(name: string, fields: Record<string, unknown> = {}): Promise<void> {
    const node = this.nodes.get(name);
    if (!node) throw new Error(`there is no node ${name}`);
    const { status, body } = await sendReport(this.service, ADMIN, node, fields);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  /** @returns the account's path */
  async addAccount(port: number, fields: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.ask("POST", "/api/domains/accounts", {
      name: "zone",
      provider: "rfc2136",
      config: zoneConfig(port),
      ...fields,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return `/api/domains/accounts/${answer.body.account.id as number}`;
  }

  /** @returns the list's path; it was published, if that was possible */
  async publish(account: string, fields: Record<string, unknown> = {}): Promise<string> {
    const domain_account_id = Number(account.split("/").at(-1));
    const body = { domain_account_id, name: LIST, type: "SRV", ...fields };
    const answer = await this.ask("POST", LISTS, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    await this.work();
    return `${LISTS}/${answer.body.publication.id as number}`;
  }

  async get(path: string): Promise<Publication> {
    return (await this.ask("GET", path)).body.publication as Publication;
  }

  /** What is due, or urgent by now, is done. */
  async work(afterMs = 0): Promise<void> {
    this.service.clock.advance(afterMs);
    await this.service.service.publications.runWorkersOnce();
  }

  /** So much later that what is urgent is done. */
  soon(): Promise<void> {
    return this.work(URGENT_MS);
  }
}

export function zoneConfig(port: number): Record<string, string> {
  const { name: key_name, secret: key_secret } = updateKey;
  return { server: `127.0.0.1:${port}`, zone: "example.com", key_name, key_secret };
}

/** What a name server holds, in an order of its own. */
export async function valuesAt(
  server: Pick<BindServer, "port">,
  name: string,
  type: string,
): Promise<string[]> {
  return (await queryDns(server.port, name, type)).map(({ value }) => value).toSorted();
}
