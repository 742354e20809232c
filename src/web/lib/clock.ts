/** Milliseconds since 1970, as this device counts them. */
export function now(): number {
  return Date.now();
}
