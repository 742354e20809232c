import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, NETWORK_SECRET, nodeOf } from "../support/checks.ts";
import { bundled } from "../support/edge-bundle.ts";
import { HttpsNameServer } from "../support/https-name-server.ts";
import { OverlayPeer, type OverlayPeerOptions } from "../support/overlay-peer.ts";
import { selfSigned } from "../support/self-signed.ts";
import type { WorkerFunction } from "../support/worker-function.ts";

let names: HttpsNameServer;
let worker: WorkerFunction;

beforeAll(async () => {
  // The runtime's library reads it once, when it is loaded.
  const file = join(await mkdtemp(join(tmpdir(), "waypost-edge-")), "trusted.pem");
  await writeFile(file, selfSigned.cert);
  process.env["NODE_EXTRA_CA_CERTS"] = file;
  const { WorkerFunction: Runtime } = await import("../support/worker-function.ts");
  delete process.env["NODE_EXTRA_CA_CERTS"];
  const records = [{ type: 1, data: "127.0.0.1" }];
  names = await HttpsNameServer.listen({ localhost: { records }, "other.example": { records } });
  worker = await Runtime.start(join(await bundled(), "check-function.worker.js"), {
    CHECK_ALLOW: "127.0.0.1",
    CHECK_DNS_URL: names.url,
    RATE_LIMIT: "off",
  });
});
afterAll(async () => {
  await worker.stop();
  await names.close();
});

async function handshakeOf(host: string, options: OverlayPeerOptions): Promise<unknown> {
  const network = { name: "net", secret: NETWORK_SECRET };
  const peer = await OverlayPeer.listen({ transport: "wss", network, ...options });
  const { body } = await check(worker, nodeOf(`wss://${host}:${peer.port}`));
  await peer.allClosed();
  await peer.close();
  return body.handshake;
}

test("a certificate that is trusted for the name lets the handshake be tried", async () => {
  expect(await handshakeOf("localhost", {})).toBe("ok");
  expect(await handshakeOf("localhost", { mode: "secure" })).toBe("secure_mode");
  expect(await handshakeOf("localhost", { mode: "hangs-up" })).toBe("not_overlay");
  expect(await handshakeOf("localhost", { line: "web-server" })).toBe("not_overlay");
});

test("one that is trusted for another name does not", async () => {
  expect(await handshakeOf("other.example", {})).toBe("not_tried");
  expect(await handshakeOf("127.0.0.1", {})).toBe("not_tried");
});
