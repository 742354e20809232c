import {
  adminLimits,
  AuditEntry,
  AuditList,
  AuditQuery,
  SettingList,
  type AdminSetting,
} from "../../shared/api/admin.ts";
import {
  CheckInitAnswer,
  InitializeAnswer,
  InitializeInput,
  SystemInfo,
} from "../../shared/api/system.ts";
import type { Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { toIso } from "../lib/clock.ts";
import type { AuditRecord, SystemService } from "./service.ts";

export interface SystemRouteParts {
  system: SystemService;
  auth: Auth;
  /** Of the program. */
  version: string;
  /** Whether mails are sent. */
  smtp: boolean;
  /** In the order of their list, secrets hidden. */
  settings: readonly AdminSetting[];
}

export function registerSystemRoutes(app: App, parts: SystemRouteParts): void {
  registerSetUp(app, parts);
  registerInfo(app, parts);
  registerAudit(app, parts);
  registerSettings(app, parts);
}

function registerInfo(app: App, { system, version, smtp }: SystemRouteParts): void {
  app.get(
    "/api/system/info",
    {
      schema: {
        tags: ["system"],
        summary: "What runs here, and whether it is set up",
        response: { 200: SystemInfo },
      },
    },
    async () => ({ initialized: await system.isInitialized(), version, smtp }),
  );
}

function registerSetUp(app: App, { system }: SystemRouteParts): void {
  app.get(
    "/api/system/check-init",
    {
      schema: {
        tags: ["system"],
        summary: "Whether the system is set up",
        response: { 200: CheckInitAnswer },
      },
    },
    async () => ({ initialized: await system.isInitialized() }),
  );
  app.post(
    "/api/system/initialize",
    {
      schema: {
        tags: ["system"],
        summary: "Set the system up and create its administrator",
        description:
          "Works once, for whoever has the set-up secret. The administrator is verified.",
        body: InitializeInput,
        response: { 201: InitializeAnswer, ...refusals(400, 401, 429, 503) },
      },
    },
    async (request, reply) => {
      const { jwt_secret: setupSecret, email, password } = request.body;
      const admin = await system.initialize({ setupSecret, email, password, from: request.ip });
      reply.code(201);
      return { message: "The system is set up; log in as its administrator", admin_email: admin };
    },
  );
}

function registerAudit(app: App, { system, auth }: SystemRouteParts): void {
  app.get(
    "/api/admin/audit",
    {
      onRequest: auth.administrator,
      schema: {
        tags: ["administration"],
        security: [{ session: [] }],
        summary: "Who changed what, newest first",
        querystring: AuditQuery,
        response: { 200: AuditList, ...refusals(400, 401, 403) },
      },
    },
    async (request) => {
      const { limit = adminLimits.auditEntriesUnasked, ...filter } = request.query;
      const records = await system.listAudit({ limit, ...filter });
      return { entries: records.map(toAuditEntry) };
    },
  );
}

function registerSettings(app: App, { settings, auth }: SystemRouteParts): void {
  app.get(
    "/api/admin/settings",
    {
      onRequest: auth.administrator,
      schema: {
        tags: ["administration"],
        security: [{ session: [] }],
        summary: "The settings this instance was started with, without secrets",
        response: { 200: SettingList, ...refusals(401, 403) },
      },
    },
    () => ({ settings: [...settings] }),
  );
}

function toAuditEntry(record: AuditRecord): AuditEntry {
  return {
    id: record.id,
    at: toIso(record.at),
    actor: record.actor,
    actor_id: record.actorId,
    action: record.action,
    subject: record.subject,
    details: record.details,
  };
}
