import { Type, type Static } from "typebox";

export const CheckInitAnswer = Type.Object({ initialized: Type.Boolean() });
export type CheckInitAnswer = Static<typeof CheckInitAnswer>;

/** What a program or a page must know before anybody has logged in. */
export const SystemInfo = Type.Object({
  initialized: Type.Boolean({ description: "Whether there is an administrator" }),
  version: Type.String({ description: "Of the service" }),
  smtp: Type.Boolean({ description: "Whether mails are sent" }),
});
export type SystemInfo = Static<typeof SystemInfo>;

export const InitializeInput = Type.Object({
  jwt_secret: Type.String({
    description: "The set-up secret: WAYPOST_JWT_SECRET, or the one shown at the first start",
  }),
  email: Type.String(),
  password: Type.String({ description: "8 to 256 characters, any characters" }),
});
export type InitializeInput = Static<typeof InitializeInput>;

export const InitializeAnswer = Type.Object({
  message: Type.String(),
  admin_email: Type.String(),
});
export type InitializeAnswer = Static<typeof InitializeAnswer>;
