import { connect, type Socket } from "node:net";
import type { Endpoint } from "./endpoint.ts";

const FIRST_BUFFER_BYTES = 4 * 1024;
const LARGEST_BUFFER_BYTES = 64 * 1024;

/**
 * A connection to `from` whose bytes, and whose end, are passed on to `sink`; it is written to as
 * any other. It reads into one buffer for as long as the sink takes all at once: a new one for each
 * piece would cost as much time as moving the bytes.
 * @param onBytes is told how many came
 */
export function connectInto(
  sink: Socket,
  from: Endpoint,
  onBytes: (count: number) => void,
): Socket {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  const source = connect({
    host: from.address,
    port: from.port,
    allowHalfOpen: true,
    autoSelectFamily: false,
    onread: { buffer: () => buffer, callback: pass },
  });
  source.once("end", () => sink.end());
  return source;

  /** What returns false is not called until the source is resumed. */
  function pass(count: number): boolean {
    onBytes(count);
    const isFull = count === buffer.length;
    const goesOn = sink.write(isFull ? buffer : buffer.subarray(0, count));
    const size = isFull ? Math.min(buffer.length * 2, LARGEST_BUFFER_BYTES) : buffer.length;
    // What the system has not taken yet still lies in the buffer.
    if (sink.writableLength > 0 || size > buffer.length) buffer = Buffer.allocUnsafeSlow(size);
    if (goesOn || sink.writableLength === 0) return true;
    sink.once("drain", () => source.resume());
    return false;
  }
}
