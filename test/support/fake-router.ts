import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A router on loopback that hears NAT-PMP and PCP and answers as the test says. */
export class FakeRouter {
  readonly requests: Buffer[] = [];
  /** The packets that go back; none = silence. */
  answer: (request: Buffer) => Buffer[] = () => [];
  readonly #socket: Socket = createSocket("udp4");

  static async start(): Promise<FakeRouter> {
    const router = new FakeRouter();
    router.#socket.on("message", (bytes, from) => {
      router.requests.push(bytes);
      for (const packet of router.answer(bytes))
        router.#socket.send(packet, from.port, from.address);
    });
    router.#socket.bind(0, "127.0.0.1");
    await once(router.#socket, "listening");
    return router;
  }

  get endpoint(): { address: string; port: number } {
    return { address: "127.0.0.1", port: this.#socket.address().port };
  }

  async stop(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }
}

/** What a UPnP router was told to do, and what it answers: XML, or the number of an error. */
export class FakeGateway {
  readonly actions: { action: string; fields: Record<string, string> }[] = [];
  answer: (action: string, fields: Record<string, string>) => string | number = () => "";
  /** Service type and control URL of what it describes. */
  service = "urn:schemas-upnp-org:service:WANIPConnection:1";
  controlUrl = "/control";
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { status, body } = this.#respond(
        request.headers["soapaction"],
        Buffer.concat(chunks).toString(),
      );
      response.writeHead(status, { "content-type": "text/xml" }).end(body);
    });
  });

  static async start(): Promise<FakeGateway> {
    const gateway = new FakeGateway();
    gateway.#server.listen(0, "127.0.0.1");
    await once(gateway.#server, "listening");
    return gateway;
  }

  get description(): URL {
    const { port } = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${port}/description.xml`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #respond(soapAction: string | string[] | undefined, body: string) {
    const action = /#(\w+)"$/.exec(String(soapAction))?.[1];
    if (action === undefined) return { status: 200, body: this.#describe() };
    const fields = Object.fromEntries(
      [...body.matchAll(/<(New\w+)>([^<]*)<\/\1>/g)].map(([, name = "", value = ""]) => [
        name,
        value,
      ]),
    );
    this.actions.push({ action, fields });
    const answer = this.answer(action, fields);
    if (typeof answer === "string") return { status: 200, body: answer };
    return { status: 500, body: `<s:Fault><errorCode>${answer}</errorCode></s:Fault>` };
  }

  #describe(): string {
    const other =
      "<service><serviceType>urn:x:Layer3Forwarding:1</serviceType><controlURL>/no</controlURL></service>";
    return (
      `<?xml version="1.0"?><root><device><serviceList>${other}<service>` +
      `<serviceType>${this.service}</serviceType><controlURL>${this.controlUrl}</controlURL>` +
      "</service></serviceList></device></root>"
    );
  }
}
