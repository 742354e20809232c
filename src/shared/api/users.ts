import { Type, type Static } from "typebox";
import { Timestamp } from "./common.ts";

const Email = Type.String({ description: "Compared without regard to case" });
const NewPassword = Type.String({ description: "8 to 256 characters, any characters" });
const strict = { additionalProperties: false };

export const RegisterInput = Type.Object({ email: Email, password: NewPassword });
export type RegisterInput = Static<typeof RegisterInput>;

export const RegisterAnswer = Type.Object({
  message: Type.String(),
  verification_token: Type.Optional(
    Type.String({ description: "Absent when it is sent by mail only. Works once, for 48 hours." }),
  ),
});
export type RegisterAnswer = Static<typeof RegisterAnswer>;

export const LoginInput = Type.Object({ email: Email, password: Type.String() });
export type LoginInput = Static<typeof LoginInput>;

export const LoginAnswer = Type.Object({
  token: Type.String({ description: "Session token (JWT), valid for 24 hours" }),
  user: Type.Object({ email: Type.String(), is_admin: Type.Boolean() }),
});
export type LoginAnswer = Static<typeof LoginAnswer>;

export const VerifyQuery = Type.Object({ token: Type.String() });

export const Me = Type.Object({
  email: Type.String(),
  is_admin: Type.Boolean(),
  verified: Type.Boolean(),
  created_at: Timestamp,
});
export type Me = Static<typeof Me>;

export const ChangePasswordInput = Type.Object(
  { current_password: Type.String(), new_password: NewPassword },
  strict,
);
export type ChangePasswordInput = Static<typeof ChangePasswordInput>;

/** The body of requests that say everything by their path; it may be left out. */
export const NothingInput = Type.Object({}, strict);

/** Which address a mail is asked for. */
export const MailInput = Type.Object({ email: Email }, strict);
export type MailInput = Static<typeof MailInput>;

export const ResetPasswordInput = Type.Object(
  { token: Type.String(), password: NewPassword },
  strict,
);
export type ResetPasswordInput = Static<typeof ResetPasswordInput>;
