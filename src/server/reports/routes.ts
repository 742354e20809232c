import { ReportAnswer, ReportInput } from "../../shared/api/reports.ts";
import { refusals } from "../http/refusals.ts";
import { JSON_TYPE, uncheckedHere } from "../http/sent-as-is.ts";
import type { App } from "../http/typed-app.ts";
import type { ReportService } from "./service.ts";

export interface ReportParts {
  reports: Pick<ReportService, "accept">;
}

export function registerReportRoutes(app: App, { reports }: ReportParts): void {
  app.post(
    "/api/report",
    {
      schema: {
        tags: ["public"],
        summary: "Report the live state of a node",
        description:
          "Sent by the node itself with its report token. The report is durable before it is answered. " +
          "Traffic is added to the running period; a `report_id` that was seen within 24 hours is not counted again.",
        body: ReportInput,
        response: { 200: ReportAnswer, ...refusals(400, 403, 404) },
      },
      validatorCompiler: uncheckedHere,
    },
    async (request, reply) => {
      const text = await reports.accept(request.body);
      return reply.type(JSON_TYPE).send(text as never);
    },
  );
}
