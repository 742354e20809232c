import type { Endpoint } from "./endpoint.ts";
import type { Namespace } from "./namespace.ts";
import { RemoteProgram } from "./remote-program.ts";

const PORT = 80;

const webHost = new URL("programs/web-host.ts", import.meta.url);

/** A web server of the internet that holds connections open, or does not. */
export class WebHost {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly #namespace: Namespace;
  readonly #addresses: readonly string[];
  #closeAfterMs: number | null;
  #program: RemoteProgram | undefined;

  constructor(
    host: { name: string; address: string; ipv6: string; closeAfterMs: number | null },
    namespace: Namespace,
    hasIpv6: boolean,
  ) {
    this.#addresses = hasIpv6 ? [host.address, host.ipv6] : [host.address];
    this.name = host.name;
    this.endpoint = { address: host.address, port: PORT };
    this.#closeAfterMs = host.closeAfterMs;
    this.#namespace = namespace;
  }

  /**
   * Starts it, or starts it again.
   * @param closeAfterMs null: connections stay; 0: they end with the first answer; else they are
   *   cut that long after they were opened; as before when it is left out
   */
  async start(closeAfterMs = this.#closeAfterMs): Promise<void> {
    await this.kill();
    this.#closeAfterMs = closeAfterMs;
    const parameters = [closeAfterMs, PORT, ...this.#addresses].map(String);
    this.#program = await RemoteProgram.start(this.#namespace, webHost, parameters);
  }

  async kill(): Promise<void> {
    await this.#program?.kill();
  }
}
