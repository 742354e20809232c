import { Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import { refusals } from "./refusals.ts";
import type { App } from "./typed-app.ts";

export interface HealthParts {
  /**
   * Why requests should not be sent here now, in words; undefined when they should.
   * @param storageMatters whether a storage that is away is a fault
   */
  findFault(storageMatters: boolean): Promise<string | undefined>;
}

/** As readiness checks are narrowed elsewhere, too: `?exclude=` and the name of a check. */
const ReadyQuery = Type.Object({
  exclude: Type.Optional(
    Type.Literal("storage", {
      description: "Ready, too, while the storage is away: queries are answered from memory",
    }),
  ),
});

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
        querystring: ReadyQuery,
        response: { 200: Health, ...refusals(400, 503) },
      },
    },
    async ({ query }) => {
      const fault = await parts.findFault(query.exclude !== "storage");
      if (fault === undefined) return { status: "ok" as const };
      throw new AppError("not_ready", `Not ready: ${fault}`, { retryAfterSeconds: 2 });
    },
  );
}
