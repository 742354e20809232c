import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Sqlite from "better-sqlite3";
import { readFileSync } from "node:fs";
import { Daemon } from "./daemon.ts";
import { blockOf } from "./documents.ts";
import { freePort } from "./free-port.ts";
import { adapt } from "./walked-document.ts";
import { toZoneFile, ZONE, type ZoneRecord } from "./zone-file.ts";

const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

export const API_KEY = "powerdns-key-0123456789";

/** The API's settings. */
const recipe = adapt(blockOf("docs/recipes/powerdns.md", "api=yes").text, {
  "192.168.1.0/24": "127.0.0.1",
  "192.168.1.2": "127.0.0.1",
  "…": API_KEY,
});

/** PowerDNS with its API, both on loopback ports, with one zone in an SQLite file. */
export class PowerdnsServer {
  readonly port: number;
  readonly apiUrl: string;
  readonly #folder: string;
  readonly #daemon: Daemon;

  private constructor(port: number, apiPort: number, folder: string, daemon: Daemon) {
    this.port = port;
    this.apiUrl = `http://127.0.0.1:${apiPort}`;
    this.#folder = folder;
    this.#daemon = daemon;
  }

  static async start({ records = [] }: { records?: readonly ZoneRecord[] } = {}) {
    const folder = await mkdtemp(join(tmpdir(), "waypost-pdns-"));
    const [port, apiPort] = [await freePort(), await freePort()];
    const database = join(folder, "pdns.sqlite3");
    const sqlite = new Sqlite(database);
    sqlite.exec(readFileSync(SCHEMA, "utf8"));
    sqlite.close();
    await writeFile(join(folder, "zone"), toZoneFile(records));
    await writeFile(
      join(folder, "pdns.conf"),
      `launch=gsqlite3
gsqlite3-database=${database}
socket-dir=${folder}
local-address=127.0.0.1
local-port=${port}
${recipe}
webserver-port=${apiPort}
security-poll-suffix=
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
setuid=
setgid=
`,
    );
    const config = `--config-dir=${folder}`;
    await promisify(execFile)("pdnsutil", [config, "load-zone", ZONE, join(folder, "zone")]);
    const parameters = [config, "--guardian=no", "--daemon=no", "--disable-syslog"];
    const daemon = await Daemon.start("pdns_server", parameters, /Done launching threads/);
    return new PowerdnsServer(port, apiPort, folder, daemon);
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
