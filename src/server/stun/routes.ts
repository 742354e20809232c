import {
  ChangeList,
  ChangesQuery,
  NewRule,
  ObservationList,
  ObservationsQuery,
  ProbeAnswer,
  RuleAnswer,
  RuleChange,
  RuleChanged,
  RuleList,
  RulePath,
  StandInList,
  stunLimits,
} from "../../shared/api/stun.ts";
import { MessageBody } from "../../shared/api/common.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { readingBodyWith } from "../http/validator.ts";
import { parseNewRule, parseRuleChange, type NewRuleSettings } from "./input.ts";
import type { RuleSettings } from "./rule.ts";
import type { StunService } from "./service.ts";

export interface StunRouteParts {
  stun: StunService;
  auth: Auth;
}

const tags = ["stun"];
const security = [{ session: [] }];

export function registerStunRoutes(app: App, parts: StunRouteParts): void {
  registerReading(app, parts);
  registerCreation(app, parts);
  registerChanging(app, parts);
  registerProbe(app, parts);
  registerHistory(app, parts);
}

function registerReading(app: App, { stun, auth }: StunRouteParts): void {
  app.get(
    "/api/stun/rules",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List the rules with their state",
        response: { 200: RuleList, ...refusals(401, 403) },
      },
    },
    async () => ({ rules: await stun.list() }),
  );
  app.get(
    "/api/stun/rules/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One rule",
        params: RulePath,
        response: { 200: RuleAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ rule: await stun.get(request.params.id) }),
  );
  app.get(
    "/api/stun/stand-ins",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Which instances hold rules in place of dead ones",
        response: { 200: StandInList, ...refusals(401, 403) },
      },
    },
    async () => ({ stand_ins: await stun.listStandIns() }),
  );
}

function registerCreation(app: App, { stun, auth }: StunRouteParts): void {
  app.post(
    "/api/stun/rules",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Create a rule",
        description:
          "A rule that is enabled must be able to open its hole: a port that is used by others and an address that is none of this host are refused.",
        body: NewRule,
        response: { 201: RuleChanged, ...refusals(400, 401, 403, 503) },
      },
      validatorCompiler: readingBodyWith(parseNewRule),
    },
    async (request, reply) => {
      const settings = request.body as unknown as NewRuleSettings;
      const rule = await stun.create(callerOf(request), settings);
      reply.code(201);
      return { message: "Rule created", rule };
    },
  );
}

function registerChanging(app: App, { stun, auth }: StunRouteParts): void {
  app.put(
    "/api/stun/rules/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Change a rule",
        description:
          "Fields that are left out stay as they are. The hole stays open unless what it is bound to changes.",
        params: RulePath,
        body: RuleChange,
        response: { 200: RuleChanged, ...refusals(400, 401, 403, 404, 503) },
      },
      validatorCompiler: readingBodyWith(parseRuleChange),
    },
    async (request) => {
      const settings = request.body as unknown as Partial<RuleSettings>;
      const rule = await stun.change(callerOf(request), request.params.id, settings);
      return { message: "Rule updated", rule };
    },
  );
  app.delete(
    "/api/stun/rules/:id",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Delete a rule with its history",
        params: RulePath,
        response: { 200: MessageBody, ...refusals(401, 403, 404, 409, 503) },
      },
    },
    async (request) => {
      await stun.remove(callerOf(request), request.params.id);
      return { message: "Rule deleted" };
    },
  );
}

function registerProbe(app: App, { stun, auth }: StunRouteParts): void {
  app.post(
    "/api/stun/rules/:id/probe",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Probe now",
        description:
          "Waits for the answer, or for the servers that were asked to be silent for too long. A rule that has no hole here answers 409.",
        params: RulePath,
        body: NothingInput,
        response: { 200: ProbeAnswer, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const observation = await stun.probe(request.params.id);
      const message =
        observation.error === null ? "A server has answered" : "No server has answered";
      return { message, observation };
    },
  );
}

function registerHistory(app: App, { stun, auth }: StunRouteParts): void {
  app.get(
    "/api/stun/rules/:id/changes",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Confirmed mappings of a rule, newest first",
        params: RulePath,
        querystring: ChangesQuery,
        response: { 200: ChangeList, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { limit = stunLimits.changesUnasked, before } = request.query;
      return { changes: await stun.listChanges(request.params.id, { limit, before }) };
    },
  );
  app.get(
    "/api/stun/rules/:id/observations",
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "What single probes showed in the last seven days, newest first",
        description: "With many rules, repetitions of the same answer are thinned out.",
        params: RulePath,
        querystring: ObservationsQuery,
        response: { 200: ObservationList, ...refusals(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { limit = stunLimits.observationsUnasked, before } = request.query;
      const page = { limit, before: before === undefined ? undefined : Date.parse(before) };
      return { observations: await stun.listObservations(request.params.id, page) };
    },
  );
}
