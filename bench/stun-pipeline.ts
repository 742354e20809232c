/**
 * The least that probing can cost: one socket that writes Binding requests with our codec and reads
 * the answers, so many a second or as many as it can, and nothing else.
 *
 *   BENCH_SERVER=port BENCH_PER_SECOND=250|0
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  decodeMessage,
  encodeMessage,
  mappedAddress,
  newTransactionId,
} from "../src/server/stun/message.ts";

const port = Number(process.env["BENCH_SERVER"]);
const perSecond = Number(process.env["BENCH_PER_SECOND"]);
/** In flight at a time when there is no pace. */
const WINDOW = 64;
const PATIENCE_MS = 100;

const socket = createSocket("udp4");
const open = new Set<string>();
let count = 0;

function ask(): void {
  const transactionId = newTransactionId();
  open.add(transactionId);
  socket.send(encodeMessage({ kind: "request", transactionId }), port, "127.0.0.1");
}

socket.on("message", (bytes) => {
  const message = decodeMessage(bytes);
  if (!message || !open.delete(message.transactionId) || !mappedAddress(message)) return;
  count++;
  if (perSecond === 0) ask();
});
socket.bind(0, "127.0.0.1");
await once(socket, "listening");

if (perSecond > 0) pace();
else refill();

/** One at a time, as evenly as timers allow: rules probe one by one, too. */
function pace(): void {
  const startedAt = performance.now();
  let asked = 0;
  setInterval(
    () => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      for (; asked < due; asked++) ask();
    },
    Math.max(1, Math.floor(1000 / perSecond)),
  );
}

/** Again when datagrams have been lost. */
function refill(): void {
  let last = -1;
  setInterval(() => {
    if (count === last) open.clear();
    last = count;
    while (open.size < WINDOW) ask();
  }, PATIENCE_MS);
}

const control = createServer((_request, response) => response.end(String(count)));
control.listen(0, "127.0.0.1");
await once(control, "listening");
console.log(`http://127.0.0.1:${(control.address() as AddressInfo).port}`);
