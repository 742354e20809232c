import { Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import type { App } from "./typed-app.ts";

/** Something that can be unfit to serve. Resolves when it is fit. */
export interface ReadinessCheck {
  /** What is wrong when it is not, in words. */
  readonly fault: string;
  check(): Promise<void>;
}

export interface HealthParts {
  readiness: readonly ReadinessCheck[];
}

const Health = Type.Object({ status: Type.Literal("ok") });

/** Whether the process lives, and whether it should be sent requests. */
export function registerHealthRoutes(app: App, parts: HealthParts): void {
  app.get("/healthz", { schema: { response: { 200: Health } } }, async () => ({
    status: "ok" as const,
  }));

  app.get("/readyz", { schema: { response: { 200: Health } } }, async (request) => {
    for (const each of parts.readiness) {
      try {
        await each.check();
      } catch (error) {
        request.log.warn({ err: error }, `not ready: ${each.fault}`);
        throw new AppError("not_ready", `Not ready: ${each.fault}`, { retryAfterSeconds: 2 });
      }
    }
    return { status: "ok" as const };
  });
}
