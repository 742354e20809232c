import { Attempts } from "../../shared/attempts.ts";
import { toCallerKey } from "../../shared/caller-key.ts";
import type { Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, tooManyAttempts } from "../lib/errors.ts";
import type { PasswordHasher } from "../lib/password-hasher.ts";
import { sameSecret } from "../lib/tokens.ts";
import { checkNewAccount } from "../users/new-account.ts";
import type { AccountService } from "../users/service.ts";
import { recordAudit } from "./audit.ts";
import { isInitialized, markInitialized } from "./set-up-mark.ts";
import { listAudit, type AuditPage } from "./store.ts";

/** Who sets the system up, and with what. */
export interface SetUp {
  setupSecret: string;
  email: string;
  password: string;
  /** The network address they come from. */
  from: string;
}

export interface AuditRecord {
  id: number;
  at: number;
  actor: string;
  actorId: number | null;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

export interface SystemParts {
  db: Db;
  clock: Clock;
  hasher: PasswordHasher;
  accounts: AccountService;
  setupSecret: string;
  /** Whether guesses at the set-up secret are limited per caller. */
  rateLimit: boolean;
}

/** The set-up of the system, and the record of who changed what. */
export class SystemService {
  readonly #parts: SystemParts;
  readonly #guesses: Attempts;
  /** Once set up, it is so for good. */
  #initialized = false;

  constructor(parts: SystemParts) {
    this.#parts = parts;
    this.#guesses = new Attempts(parts.clock, { burst: 20, intervalMs: 30_000 });
  }

  async isInitialized(): Promise<boolean> {
    this.#initialized ||= await isInitialized(this.#parts.db);
    return this.#initialized;
  }

  /**
   * Creates the first administrator, once; of several who try at the same time one succeeds.
   * @returns the administrator's address
   * @throws AppError already_initialized, wrong_setup_secret, invalid_request, rate_limited, overloaded
   */
  async initialize({ setupSecret, email, password, from }: SetUp): Promise<string> {
    const { db, clock, hasher, accounts } = this.#parts;
    if (await this.isInitialized()) throw alreadyInitialized();
    this.#checkSecret(setupSecret, from);
    const address = checkNewAccount(email, password);
    const hash = await hasher.hash(password);
    await db.transaction().execute(async (tx) => {
      if (!(await markInitialized(tx, clock.now()))) throw alreadyInitialized();
      const id = await accounts.makeAdministrator(tx, address, hash);
      await recordAudit(tx, clock, { id, name: address.text }, "system.initialize", `user:${id}`);
    });
    this.#initialized = true;
    return address.text;
  }

  /** Newest first. */
  async listAudit(page: AuditPage): Promise<AuditRecord[]> {
    const rows = await listAudit(this.#parts.db, page);
    return rows.map((row) => ({
      id: row.id,
      at: row.at,
      actor: row.actor,
      actorId: row.actor_id,
      action: row.action,
      subject: row.subject,
      details: JSON.parse(row.details) as Record<string, unknown>,
    }));
  }

  #checkSecret(secret: string, from: string): void {
    const caller = toCallerKey(from);
    const waitMs = this.#parts.rateLimit ? this.#guesses.waitMs(caller) : 0;
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    if (sameSecret(secret, this.#parts.setupSecret)) return;
    this.#guesses.take(caller);
    throw new AppError(
      "wrong_setup_secret",
      "jwt_secret is not the set-up secret of this service; it was shown at the first start",
    );
  }
}

function alreadyInitialized(): AppError {
  return new AppError("already_initialized", "The system is set up already; log in");
}
