import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon, type Start } from "./daemon.ts";
import { freePort } from "./free-port.ts";
import { toZoneFile, ZONE, type ZoneRecord } from "./zone-file.ts";

/** The key that may update the zone, by algorithm; another one is known and may do nothing. */
export const updateKey = {
  name: "waypost-test",
  secret: Buffer.from("a secret of the tests, 32 bytes.").toString("base64"),
};
export const powerlessKey = {
  name: "powerless",
  secret: Buffer.from("another secret of the tests, 32.").toString("base64"),
};

export interface BindOptions {
  records?: readonly ZoneRecord[];
  algorithm?: string;
  /** The keys and the zone, in place of those of the tests; the zone's file is `zone`. */
  configuration?: string;
  /** Lines of `named.conf`, such as a `server` clause. */
  options?: string;
  /** Where it runs; on this machine unless told. */
  start?: Start;
}

/** BIND 9 on a loopback port, with one zone that a TSIG key may update. */
export class BindServer {
  readonly port: number;
  readonly #folder: string;
  readonly #daemon: Daemon;

  private constructor(port: number, folder: string, daemon: Daemon) {
    this.port = port;
    this.#folder = folder;
    this.#daemon = daemon;
  }

  static async start(given: BindOptions = {}): Promise<BindServer> {
    const { records = [], algorithm = "hmac-sha256", options = "", start } = given;
    const { configuration = ownConfiguration(algorithm) } = given;
    const folder = await mkdtemp(join(tmpdir(), "waypost-bind-"));
    const port = await freePort();
    await writeFile(join(folder, "zone"), toZoneFile(records));
    await writeFile(
      join(folder, "named.conf"),
      `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no; ${options}
};
controls { };
${configuration}
`,
    );
    const daemon = await Daemon.start(
      "named",
      ["-g", "-n", "1", "-c", join(folder, "named.conf")],
      / running$/,
      start,
    );
    return new BindServer(port, folder, daemon);
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function ownConfiguration(algorithm: string): string {
  const key = ({ name, secret }: typeof updateKey) =>
    `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`;
  return `${key(updateKey)}
${key(powerlessKey)}
zone "${ZONE}" { type primary; file "zone"; allow-update { key "${updateKey.name}"; }; };`;
}
