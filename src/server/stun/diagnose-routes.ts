import { StunDiagnosis, StunDiagnosisBody } from "../../shared/api/stun-diagnosis.ts";
import type { Auth } from "../http/auth.ts";
import { callerGone } from "../http/caller-gone.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { DiagnosisService } from "./diagnosis-service.ts";

export interface DiagnoseRouteParts {
  diagnoses: DiagnosisService;
  auth: Auth;
}

export function registerDiagnoseRoutes(app: App, { diagnoses, auth }: DiagnoseRouteParts): void {
  app.post(
    "/api/stun/diagnose",
    {
      onRequest: auth.administrator,
      schema: {
        tags: ["stun"],
        security: [{ session: [] }],
        summary: "Find out what kind of NAT lies between the service and the internet",
        description:
          "Takes 15 s at most and writes nothing. A server that does not answer is part of the result.",
        body: StunDiagnosisBody,
        response: { 200: StunDiagnosis, ...refusals(400, 401, 403, 429, 503) },
      },
    },
    (request, reply) => diagnoses.run(request.body, callerGone(reply)),
  );
}
