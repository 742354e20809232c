import { Type, type Static } from "typebox";
import { Timestamp } from "./common.ts";

export const adminLimits = {
  users: 1000,
  auditEntries: 200,
  auditEntriesUnasked: 50,
  searchLength: 256,
} as const;

const Id = Type.Integer({ minimum: 1 });
const strict = { additionalProperties: false };

export const IdPath = Type.Object({ id: Id });

/** An account as administrators see it. */
export const AdminUser = Type.Object({
  id: Id,
  email: Type.String(),
  is_admin: Type.Boolean(),
  verified: Type.Boolean(),
  disabled: Type.Boolean(),
  node_count: Type.Integer(),
  created_at: Timestamp,
});
export type AdminUser = Static<typeof AdminUser>;

/** In the order of the ids; `after` is the last id of the page before. */
export const UserListQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: adminLimits.users, default: adminLimits.users }),
    ),
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    search: Type.Optional(
      Type.String({
        maxLength: adminLimits.searchLength,
        description: "A part of the address, in any case",
      }),
    ),
    is_admin: Type.Optional(Type.Boolean()),
    verified: Type.Optional(Type.Boolean()),
    disabled: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type UserListQuery = Static<typeof UserListQuery>;
export const UserList = Type.Object({ users: Type.Array(AdminUser) });
export type UserList = Static<typeof UserList>;
export const UserAnswer = Type.Object({ user: AdminUser });

export const UserUpdate = Type.Object(
  { is_admin: Type.Optional(Type.Boolean()), disabled: Type.Optional(Type.Boolean()) },
  strict,
);
export type UserUpdate = Static<typeof UserUpdate>;

export const ResetLinkAnswer = Type.Object({
  message: Type.String(),
  reset_token: Type.String({ description: "For POST /api/auth/reset-password; works once" }),
  expires_at: Timestamp,
});
export type ResetLinkAnswer = Static<typeof ResetLinkAnswer>;

/** Who changed what. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Timestamp,
  actor: Type.String({ description: "The address of the account at that time" }),
  actor_id: Type.Union([Id, Type.Null()]),
  action: Type.String({ description: "noun.verb" }),
  subject: Type.String({ description: "What was changed, such as user:7" }),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Newest first; `before` is the last id of the page before. */
export const AuditQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: adminLimits.auditEntries,
        default: adminLimits.auditEntriesUnasked,
      }),
    ),
    before: Type.Optional(Id),
    action: Type.Optional(
      Type.String({
        pattern: "^[a-z_]{1,64}([.][a-z_]{1,64})?$",
        description: "`noun.verb`, or a noun for all that was done to such things",
      }),
    ),
    actor: Type.Optional(
      Type.String({
        maxLength: adminLimits.searchLength,
        description: "A part of the actor's address, in any case",
      }),
    ),
    subject: Type.Optional(
      Type.String({
        maxLength: adminLimits.searchLength,
        description: "All of it, such as user:7",
      }),
    ),
  },
  strict,
);
export type AuditQuery = Static<typeof AuditQuery>;
export const AuditList = Type.Object({ entries: Type.Array(AuditEntry) });
export type AuditList = Static<typeof AuditList>;

/** A setting of the service and where its value comes from. */
export const AdminSetting = Type.Object({
  name: Type.String({ description: "The environment variable" }),
  description: Type.String(),
  value: Type.Union([Type.String(), Type.Null()], {
    description: "null for a secret; the URLs of database and mail server, without their secrets",
  }),
  default: Type.String({ description: "Empty where there is none" }),
  source: Type.Enum(["environment", "file", ".env", "default", "generated"], {
    description: "file: the one that the variable with _FILE names; generated: in the data folder",
  }),
  secret: Type.Boolean(),
  set: Type.Boolean({ description: "Whether there is a value at all" }),
});
export type AdminSetting = Static<typeof AdminSetting>;
export const SettingList = Type.Object({ settings: Type.Array(AdminSetting) });
export type SettingList = Static<typeof SettingList>;
