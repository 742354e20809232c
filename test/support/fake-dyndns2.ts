import { ProviderServer, type Received, type Reply } from "./provider-server.ts";

const USER = "home-user";
const PASSWORD = "dyndns-password-0123";

/** A service of the DynDNS2 protocol: words, whatever the status says. */
export class FakeDyndns2 {
  readonly user = USER;
  readonly password = PASSWORD;
  /** `<host> <A or AAAA>` → address. */
  readonly addresses = new Map<string, string>();
  readonly hosts = new Set(["home.example.com", "six.example.com"]);
  /** Said instead of an answer of its own. */
  word: string | undefined;
  readonly server: ProviderServer;

  private constructor(server: ProviderServer) {
    this.server = server;
    server.answer = (request) => this.#answer(request);
  }

  static async listen(): Promise<FakeDyndns2> {
    return new FakeDyndns2(await ProviderServer.listen());
  }

  /** Requests for an update. */
  get updates(): Received[] {
    return this.server.received.filter(({ url }) => url.pathname.endsWith("/update"));
  }

  #answer({ url, message }: Received): Reply {
    if (url.pathname !== "/nic/update") return { status: 200, body: "<html>" };
    if (this.word !== undefined) return { status: 200, body: this.word };
    const { authorization, "user-agent": agent = "" } = message.headers;
    const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`;
    if (authorization !== expected) return { status: 401, body: "badauth" };
    if (agent === "") return { status: 200, body: "badagent" };
    const host = url.searchParams.get("hostname") ?? "";
    if (!this.hosts.has(host)) return { status: 200, body: "nohost" };
    const address = url.searchParams.get("myip") ?? String(message.socket.remoteAddress);
    const key = `${host} ${address.includes(":") ? "AAAA" : "A"}`;
    const word = this.addresses.get(key) === address ? "nochg" : "good";
    this.addresses.set(key, address);
    return { status: 200, body: `${word} ${address}\r\n` };
  }
}
