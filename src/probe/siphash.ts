/** v0–v3, each as its lower and its upper half. */
type State = Uint32Array;

const V0 = 0;
const V1 = 2;
const V2 = 4;
const V3 = 6;

/** "somepseudorandomlygeneratedbytes", as it is used with a key of zeros. */
// oxfmt-ignore
const initialState = [
  0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
];

/**
 * SipHash-1-3 with a key of zeros (Aumasson, Bernstein: SipHash, a fast short-input PRF).
 * @returns 8 bytes, big endian
 */
export function sipHash13(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(initialState);
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const tailAt = message.length - (message.length % 8);
  for (let at = 0; at < tailAt; at += 8) {
    compress(state, view.getUint32(at, true), view.getUint32(at + 4, true));
  }
  const last = new DataView(new ArrayBuffer(8));
  for (let at = tailAt; at < message.length; at++) last.setUint8(at - tailAt, view.getUint8(at));
  last.setUint8(7, message.length & 0xff);
  compress(state, last.getUint32(0, true), last.getUint32(4, true));
  return finish(state);
}

function compress(state: State, low: number, high: number): void {
  xorWord(state, V3, low, high);
  round(state);
  xorWord(state, V0, low, high);
}

function finish(state: State): Uint8Array {
  xorWord(state, V2, 0xff, 0);
  for (let count = 0; count < 3; count++) round(state);
  for (const other of [V1, V2, V3]) xor(state, V0, other);
  const hash = new DataView(new ArrayBuffer(8));
  hash.setUint32(0, state[V0 + 1] ?? 0);
  hash.setUint32(4, state[V0] ?? 0);
  return new Uint8Array(hash.buffer);
}

function round(state: State): void {
  mix(state, V0, V1, 13);
  swapHalves(state, V0);
  mix(state, V2, V3, 16);
  mix(state, V0, V3, 21);
  mix(state, V2, V1, 17);
  swapHalves(state, V2);
}

/** a += b; b = rotated b ^ a */
function mix(state: State, a: number, b: number, bits: number): void {
  const low = (state[a] ?? 0) + (state[b] ?? 0);
  const carry = low > 0xffff_ffff ? 1 : 0;
  state[a] = low;
  state[a + 1] = (state[a + 1] ?? 0) + (state[b + 1] ?? 0) + carry;
  rotate(state, b, bits);
  xor(state, b, a);
}

function rotate(state: State, at: number, bits: number): void {
  const low = state[at] ?? 0;
  const high = state[at + 1] ?? 0;
  state[at] = (low << bits) | (high >>> (32 - bits));
  state[at + 1] = (high << bits) | (low >>> (32 - bits));
}

function swapHalves(state: State, at: number): void {
  const low = state[at] ?? 0;
  state[at] = state[at + 1] ?? 0;
  state[at + 1] = low;
}

function xor(state: State, at: number, other: number): void {
  xorWord(state, at, state[other] ?? 0, state[other + 1] ?? 0);
}

function xorWord(state: State, at: number, low: number, high: number): void {
  state[at] = (state[at] ?? 0) ^ low;
  state[at + 1] = (state[at + 1] ?? 0) ^ high;
}
