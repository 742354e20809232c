/** Ends with 0 when the service of this container can do its work. */
const port = process.env.WAYPOST_PORT || "8080";
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, {
    signal: AbortSignal.timeout(4_000),
  });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
