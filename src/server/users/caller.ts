/** The account behind a request, as it stands now in the storage. */
export interface Caller {
  userId: number;
  email: string;
  isAdmin: boolean;
}

/** Who did something, for the audit log. */
export interface Actor {
  id: number | null;
  name: string;
}

export function actorOf(caller: Caller): Actor {
  return { id: caller.userId, name: caller.email };
}
