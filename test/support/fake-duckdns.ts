import { ProviderServer, type Received, type Reply } from "./provider-server.ts";

const TOKEN = "a7c4d0ad-114e-40ef-ba1d-d217904a50f2";

/** Duck DNS: OK or KO, both with 200; without an address the caller's own is taken. */
export class FakeDuckdns {
  readonly token = TOKEN;
  readonly domains = new Set(["home"]);
  /** `<domain> <A, AAAA or TXT>` → value. */
  readonly values = new Map<string, string>();
  readonly server: ProviderServer;

  private constructor(server: ProviderServer) {
    this.server = server;
    server.answer = (request) => this.#answer(request);
  }

  static async listen(): Promise<FakeDuckdns> {
    return new FakeDuckdns(await ProviderServer.listen());
  }

  get updates(): Received[] {
    return this.server.received.filter(({ url }) => url.pathname === "/update");
  }

  #answer({ url, message }: Received): Reply {
    const query = url.searchParams;
    if (url.pathname !== "/update") return { status: 200, body: "<html>" };
    const domain = query.get("domains") ?? "";
    const isKnown = query.get("token") === TOKEN && this.domains.has(domain);
    if (!isKnown) return { status: 200, body: "KO" };
    const txt = query.get("txt");
    if (txt !== null) {
      this.values.set(`${domain} TXT`, txt);
      return { status: 200, body: "OK" };
    }
    const address = query.get("ip") || String(message.socket.remoteAddress);
    this.values.set(`${domain} ${address.includes(":") ? "AAAA" : "A"}`, address);
    const ipv6 = query.get("ipv6");
    if (ipv6 !== null) this.values.set(`${domain} AAAA`, ipv6);
    return { status: 200, body: "OK" };
  }
}
