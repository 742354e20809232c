import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { parseConfig } from "../../src/server/config.ts";
import { createService } from "../../src/server/service.ts";
import { SECRET_KEY_FILE, toSealKey } from "../../src/server/system/secret-key.ts";
import { setUp } from "./accounts.ts";
import { Client } from "./client.ts";
import { newPostgresDatabase } from "./postgres.ts";
import { SETUP_SECRET, type DialectName } from "./service.ts";

type Ask = (method: string, path: string, body?: unknown) => ReturnType<Client["request"]>;

const accounts = [
  {
    path: "/api/callbacks/accounts",
    body: {
      name: "hook",
      type: "webhook",
      config: { url: "http://127.0.0.1:9/hook", headers: "A: b", signing_secret: "signing-1111" },
    },
  },
  {
    path: "/api/domains/accounts",
    body: {
      name: "names",
      provider: "desec",
      config: { token: "a-token-of-names-2222", domain: "example.com" },
    },
  },
];
/** The fields of the accounts that are sealed. */
export const SEALED_FIELDS = 4;

/** The data folder and the storage of a service that has credentials, and does not run unless asked to. */
export class SealedStorage {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  #token: string | undefined;

  private constructor(env: Record<string, string>, folder: string) {
    this.env = env;
    this.folder = folder;
  }

  /** @param secretKey the setting; none: it is a file in the folder */
  static async prepare(dialect: DialectName, secretKey = ""): Promise<SealedStorage> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-keys-"));
    const env = {
      WAYPOST_DATA_DIR: folder,
      WAYPOST_PORT: "0",
      WAYPOST_JWT_SECRET: SETUP_SECRET,
      WAYPOST_RATE_LIMIT: "off",
      WAYPOST_DATABASE_URL: dialect === "postgres" ? await newPostgresDatabase() : "",
      WAYPOST_SECRET_KEY: secretKey,
    };
    const storage = new SealedStorage(env, folder);
    await storage.whileServing(async (ask) => {
      for (const { path, body } of accounts) {
        const { status } = await ask("POST", path, body);
        if (status !== 201) throw new Error(`${path}: ${status}`);
      }
    });
    return storage;
  }

  /** The file, or the URL. */
  get place(): string {
    return this.env["WAYPOST_DATABASE_URL"] || join(this.folder, "waypost.db");
  }

  /** What stands in the file in the data folder. */
  async filedKeys(): Promise<string[]> {
    return (await readFile(join(this.folder, SECRET_KEY_FILE), "utf8")).trim().split("\n");
  }

  fileKeys(...keys: string[]): Promise<void> {
    return writeFile(join(this.folder, SECRET_KEY_FILE), keys.join("\n"));
  }

  async filedKeyIds(): Promise<string[]> {
    return (await this.filedKeys()).map((key) => toSealKey(key).id);
  }

  /** The settings of its accounts, as a service answers them that has this setting. */
  async shown(secretKey?: string): Promise<unknown[]> {
    const { result } = await this.whileServing(async (ask) => {
      const answers = await Promise.all(accounts.map(({ path }) => ask("GET", path)));
      return answers.flatMap(({ body }) =>
        (body as { accounts: { config: unknown }[] }).accounts.map(({ config }) => config),
      );
    }, secretKey);
    return result;
  }

  /** @returns what it logged as an error, too */
  async whileServing<T>(
    work: (ask: Ask) => Promise<T>,
    secretKey = this.env["WAYPOST_SECRET_KEY"] ?? "",
  ): Promise<{ result: T; errors: string[] }> {
    const errors: string[] = [];
    const write = (line: string) => void errors.push((JSON.parse(line) as { msg: string }).msg);
    const logger = pino({ level: "error" }, { write });
    const config = parseConfig({ ...this.env, WAYPOST_SECRET_KEY: secretKey });
    const service = await createService(config, { logger });
    const client = new Client(() => service.origin);
    try {
      await service.start();
      const token = (this.#token ??= await setUp(client));
      const ask: Ask = (method, path, body) => client.request(method, path, { token, body });
      return { result: await work(ask), errors };
    } finally {
      client.close();
      await service.stop();
    }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** What `shown` gives when all secrets can be opened. */
export const openShown: unknown[] = [
  {
    url: "http://127.0.0.1:9/hook",
    headers: "A: b",
    signing_secret: { set: true, hint: "…1111" },
  },
  { token: { set: true, hint: "…2222" }, domain: "example.com" },
];
