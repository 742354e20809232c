/** An account as the storage holds it. */
export interface User {
  id: number;
  /** As registered. */
  email: string;
  /** What addresses are compared by. */
  emailKey: string;
  passwordHash: string;
  isAdmin: boolean;
  verified: boolean;
  disabled: boolean;
  /** Raised to end every session of the account. */
  sessionVersion: number;
  createdAt: number;
}

/** An account as administrators see it. */
export interface ListedUser extends Pick<
  User,
  "id" | "email" | "isAdmin" | "verified" | "disabled" | "createdAt"
> {
  nodeCount: number;
}

/** Which accounts are listed: those that everything given here is true of. */
export interface UserFilter {
  /** A part of the address, in any case. */
  search?: string | undefined;
  isAdmin?: boolean | undefined;
  verified?: boolean | undefined;
  disabled?: boolean | undefined;
}
