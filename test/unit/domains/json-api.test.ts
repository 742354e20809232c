import { afterEach, beforeEach, expect, test } from "vitest";
import { JsonApi } from "../../../src/server/domains/providers/json-api.ts";
import { openOutgoing } from "../../support/outgoing.ts";
import { ProviderServer } from "../../support/provider-server.ts";

const TOKEN = "token-of-the-zone-7h2k9x4m";
/** Of a reason, as much is shown. */
const SHOWN = 300;

let server: ProviderServer;
beforeEach(async () => {
  server = await ProviderServer.listen();
});
afterEach(() => server.close());

test.for(["reason", "body"])(
  "of a secret that the %s repeats nothing is shown, wherever the words are cut",
  async (place) => {
    const { http } = openOutgoing();
    for (let cut = 1; cut < TOKEN.length; cut += 6) {
      const words = `${"x".repeat(SHOWN - cut)}${TOKEN}`;
      server.answer = () => ({ status: 400, body: place === "body" ? words : { error: words } });
      const api = new JsonApi({
        provider: "The server",
        baseUrl: server.url,
        headers: { "x-api-key": TOKEN },
        reasons: ["error"],
        exchange: http.exchange([TOKEN], new AbortController().signal),
        now: () => 0,
      });
      const refused = api.call("read", "GET", "/zone");
      await expect(refused).rejects.toThrow(/answered 400: x+(?!x|t)/);
    }
    await http.stop();
  },
);
