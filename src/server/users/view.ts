import type { AdminUser } from "../../shared/api/admin.ts";
import { toIso } from "../lib/clock.ts";
import type { ListedUser } from "./user.ts";

/** An account as administrators see it, on the wire and on the command line. */
export function toAdminUser(user: ListedUser): AdminUser {
  return {
    id: user.id,
    email: user.email,
    is_admin: user.isAdmin,
    verified: user.verified,
    disabled: user.disabled,
    node_count: user.nodeCount,
    created_at: toIso(user.createdAt),
  };
}
