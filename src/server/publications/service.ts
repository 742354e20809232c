import {
  publicationLimits,
  publicationProviders,
  type NewPublication,
  type Publication,
  type PublicationChange,
  type PublicationComparison,
  type PublicationPreview,
  type PublishedNode,
} from "../../shared/api/publications.ts";
import type { ProviderName } from "../../shared/api/domains.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import type { Database, Db } from "../database/database.ts";
import { refuseTaken } from "../database/taken.ts";
import { toRecordName } from "../domains/dns-name.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import { auditTrail, type AuditTrail } from "../system/audit.ts";
import type { Caller } from "../users/caller.ts";
import { compose } from "./composition.ts";
import type { Membership } from "./membership.ts";
import type { Member, PublicationSettings } from "./publication.ts";
import type { PublicationRunner } from "./runner.ts";
import { toSettings, toView } from "./view.ts";
import { readSets, type HeldSet } from "./set-store.ts";
import * as store from "./store.ts";

export interface PublicationServiceParts {
  database: Database;
  clock: Clock;
  membership: Membership;
  runner: PublicationRunner;
  /** Of such a domain account, which then stays until the transaction ends. */
  providerOf: (accountId: number, transaction: Db) => Promise<ProviderName | undefined>;
}

/** What administrators do with lists of nodes that are published at domain accounts. */
export class PublicationService {
  readonly #parts: PublicationServiceParts;
  readonly #db: Db;
  readonly #audit: AuditTrail;

  constructor(parts: PublicationServiceParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
    this.#audit = auditTrail("node_publication", parts.clock);
  }

  /** By id. */
  async list(): Promise<Publication[]> {
    const [all, sets] = [await store.readPublications(this.#db), await readSets(this.#db)];
    return all.map((each) => this.#show(each, sets));
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<Publication> {
    const [found] = await store.readPublications(this.#db, id);
    if (!found) throw noSuchPublication();
    return this.#show(found, await readSets(this.#db, id));
  }

  /** It is published within a second or so. @throws AppError invalid_request, name_taken */
  async create(caller: Caller, given: NewPublication): Promise<Publication> {
    const settings = checked(toSettings(given, undefined));
    const id = await this.#refuseTakenPlace(async (tx) => {
      await this.#refuseAccount(settings, tx);
      const stored = await store.insertPublication(tx, settings, this.#parts.clock.now());
      const { name, type } = settings;
      await this.#audit(tx, caller, "node_publication.create", stored, { name, type });
      return stored;
    });
    return this.get(id);
  }

  /** Changes what is given. @throws AppError not_found, invalid_request, name_taken, conflict */
  async change(caller: Caller, id: number, given: PublicationChange): Promise<Publication> {
    const before = await this.get(id);
    const changed = Object.keys(given);
    if (changed.length === 0) return before;
    const { database, clock } = this.#parts;
    await this.#refuseTakenPlace(async (tx) => {
      const stored = await store.lockPublication(tx, database.dialect, id);
      if (!stored) throw noSuchPublication();
      if (stored.removed) throw new AppError("conflict", "The publication is being withdrawn");
      const settings = checked(toSettings(given, stored));
      await this.#refuseAccount(settings, tx);
      await store.updatePublication(tx, id, { ...settings, removed: false }, clock.now());
      const { name } = settings;
      await this.#audit(tx, caller, "node_publication.update", id, { name, changed });
    });
    return this.get(id);
  }

  /**
   * Withdraws the records and deletes the publication; one whose records cannot be withdrawn now stays
   * until they are.
   * @returns the publication when it stays
   * @throws AppError not_found
   */
  async remove(
    caller: Caller,
    id: number,
    keepsRecords: boolean,
  ): Promise<Publication | undefined> {
    const { database, clock, runner } = this.#parts;
    await this.#db.transaction().execute(async (tx) => {
      const stored = await store.lockPublication(tx, database.dialect, id);
      if (!stored) throw noSuchPublication();
      if (keepsRecords) await store.deletePublication(tx, id);
      else await store.updatePublication(tx, id, { ...stored, removed: true }, clock.now());
      const { name, type } = stored;
      const details = { name, type, keep_records: keepsRecords };
      await this.#audit(tx, caller, "node_publication.delete", id, details);
    });
    if (keepsRecords) return undefined;
    await runner.runNow(id);
    const [left] = await store.readPublications(this.#db, id);
    return left && this.#show(left, await readSets(this.#db, id));
  }

  /** @throws AppError not_found; conflict when another instance is at it */
  async publishNow(caller: Caller, id: number): Promise<Publication> {
    const { name } = await this.get(id);
    if (!(await this.#parts.runner.runNow(id))) {
      throw new AppError("conflict", "It is being published right now; look again in a moment");
    }
    await this.#audit(this.#db, caller, "node_publication.publish", id, { name });
    return this.get(id);
  }

  /**
   * What would be published, without a question to the provider.
   * @param id of a publication whose nodes stay where they can
   * @throws AppError invalid_request
   */
  async preview(given: NewPublication, id: number | undefined): Promise<PublicationPreview> {
    const settings = checked(toSettings(given, undefined));
    await this.#db.transaction().execute((tx) => this.#refuseAccount(settings, tx));
    const [before] = id === undefined ? [] : await store.readPublications(this.#db, id);
    const wanted = { wish: settings.wish, nodes: before?.nodes ?? [] };
    const nodes = this.#parts.membership.next(wanted);
    const { sets, note } = compose(settings, nodes);
    return { nodes: this.#showNodes(nodes), records: sets, note };
  }

  /** What the next publication would change at the provider; only reads. @throws AppError not_found, conflict */
  async compare(id: number): Promise<PublicationComparison> {
    const [publication] = await store.readPublications(this.#db, id);
    if (!publication) throw noSuchPublication();
    const { runner } = this.#parts;
    const plan = await runner.plan(publication);
    const { results, failure } = await runner.compare(plan);
    if (failure && results.length === 0) {
      throw new AppError("conflict", `Nothing can be said: ${failure.message}`);
    }
    return {
      changed: results.some(({ result }) => result.result === "updated"),
      nodes: this.#showNodes(plan.nodes),
      records: results.map(({ result: { name, type, result, before, after, error } }) => ({
        name,
        type,
        result: result === "skipped" ? "current" : result,
        before,
        after,
        error: error?.message ?? null,
      })),
      note: plan.note,
    };
  }

  #show(publication: store.ShownPublication, sets: readonly HeldSet[]): Publication {
    const { membership } = this.#parts;
    const { wish, nodes } = publication;
    const ids = nodes.map((node) => node.id);
    return toView(publication, {
      nodes: this.#showNodes(nodes),
      sets: sets.filter((each) => each.publicationId === publication.id),
      isUsable: membership.isAnyUsable(wish, ids),
    });
  }

  #showNodes(nodes: readonly Member[]): PublishedNode[] {
    const { membership } = this.#parts;
    return nodes.map(({ id, url, weight }) => ({
      id,
      node_name: membership.nameOf(id),
      url,
      weight,
    }));
  }

  async #refuseAccount({ accountId }: PublicationSettings, tx: Db): Promise<void> {
    const path = "domain_account_id";
    const provider = await this.#parts.providerOf(accountId, tx);
    if (!provider) throw invalidFields([{ path, message: "is the id of no domain account" }]);
    if (publicationProviders.includes(provider)) return;
    const message = `is an account at ${provider}, which cannot be asked what it holds: nothing could be withdrawn there`;
    throw invalidFields([{ path, message }]);
  }

  #refuseTakenPlace<T>(write: (tx: Db) => Promise<T>): Promise<T> {
    const message = "has a publication of this type at this account already";
    const taken = { error: `The name ${message}`, path: "name", message };
    return refuseTaken(this.#parts.database.dialect, taken, () =>
      this.#db.transaction().execute(write),
    );
  }
}

/** @throws AppError invalid_request */
function checked(settings: PublicationSettings): PublicationSettings {
  const faults: FieldError[] = [];
  const name = toRecordName(settings.name);
  if (name === undefined || name.startsWith("*") || !name.includes(".")) {
    faults.push({ path: "name", message: "must be a DNS name such as peers.example.com" });
  } else if (name.length > publicationLimits.recordNameLength) {
    const message = `must have at most ${publicationLimits.recordNameLength} characters`;
    faults.push({ path: "name", message });
  }
  if (faults.length > 0) throw invalidFields(faults);
  return { ...settings, name: name ?? settings.name };
}

function noSuchPublication(): AppError {
  return new AppError("not_found", "There is no publication with this id");
}
