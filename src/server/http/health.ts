import { Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import { refusals } from "./refusals.ts";
import type { App } from "./typed-app.ts";

export interface HealthParts {
  /** Why requests should not be sent here now, in words; undefined when they should. */
  findFault(): Promise<string | undefined>;
}

const Health = Type.Object({ status: Type.Literal("ok") });

/** Whether the process lives, and whether it should be sent requests. */
export function registerHealthRoutes(app: App, parts: HealthParts): void {
  app.get(
    "/healthz",
    {
      schema: { tags: ["system"], summary: "Whether the process lives", response: { 200: Health } },
    },
    () => ({ status: "ok" as const }),
  );

  app.get(
    "/readyz",
    {
      schema: {
        tags: ["system"],
        summary: "Whether the service should be sent requests",
        description: "The database answers, its schema is up to date and reports can be stored.",
        response: { 200: Health, ...refusals(503) },
      },
    },
    async () => {
      const fault = await parts.findFault();
      if (fault === undefined) return { status: "ok" as const };
      throw new AppError("not_ready", `Not ready: ${fault}`, { retryAfterSeconds: 2 });
    },
  );
}
