import { pino, stdTimeFunctions, type Logger } from "pino";

export type { Logger };

export const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard error; standard output is kept for what a person asked for. */
export function createLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      // For people, and for what reads logs: words and ISO 8601.
      formatters: { level: (label) => ({ level: label }) },
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: ["password", "token", "*.password", "*.token", "headers.authorization"],
        censor: "[redacted]",
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
