import type {
  AdminNode,
  AdminNodeChange,
  Connection,
  MyNode,
  NodeDetails,
} from "../../shared/api/nodes.ts";
import type { Database, Db } from "../database/database.ts";
import { refuseTaken } from "../database/taken.ts";
import { MINUTE_MS, type Clock } from "../lib/clock.ts";
import { hashToken, newToken } from "../lib/tokens.ts";
import { auditTrail, recordAudit, type AuditTrail } from "../system/audit.ts";
import type { Caller } from "../users/caller.ts";
import { logNodeChange } from "./change-log-store.ts";
import { planChange } from "./change.ts";
import { accountIsGone, noSuchNode, notTheOwner } from "./node-refusals.ts";
import type { Fleet } from "./fleet.ts";
import { dropOldChanges, FollowedChanges } from "./followed-changes.ts";
import { FleetMutations, type Committed } from "./fleet-mutations.ts";
import type { NodeRecord } from "./node.ts";
import { slotsThatPass, type NodeFilter } from "./node-filter.ts";
import { firstPeriod } from "./period.ts";
import { withDefaults, type NewNodeSettings, type NodeSettings } from "./settings.ts";
import * as store from "./store.ts";
import { toAdminNode, toMyNode, toNodeDetails } from "./view.ts";

const OLD_TOKEN_LIVES_MS = 10 * MINUTE_MS;

/** What owners and administrators do with nodes. Reads come from the fleet, changes go through it. */
export class NodeService {
  readonly #database: Database;
  readonly #fleet: Fleet;
  readonly #mutations: FleetMutations;
  readonly #clock: Clock;
  readonly #audit: AuditTrail;
  #changes: FollowedChanges | undefined;

  constructor(database: Database, fleet: Fleet, clock: Clock) {
    this.#database = database;
    this.#fleet = fleet;
    this.#mutations = new FleetMutations(database, fleet, clock);
    this.#clock = clock;
    this.#audit = auditTrail("node", clock);
  }

  /** The caller's nodes, by id. */
  listOwn(caller: Caller): MyNode[] {
    const now = this.#clock.now();
    return this.#fleet.slotsOfOwner(caller.userId).map((slot) => toMyNode(this.#fleet, slot, now));
  }

  /** The caller's nodes, each whole, by id. */
  listOwnWhole(caller: Caller): NodeDetails[] {
    const now = this.#clock.now();
    const slots = this.#fleet.slotsOfOwner(caller.userId);
    return slots.map((slot) => toNodeDetails(this.#fleet, slot, now));
  }

  /** @throws AppError not_found, forbidden */
  get(caller: Caller, id: number): NodeDetails {
    return toNodeDetails(this.#fleet, this.findOwn(caller, id), this.#clock.now());
  }

  /**
   * The slot of one of the caller's nodes.
   * @throws AppError not_found, forbidden
   */
  findOwn(caller: Caller, id: number): number {
    const slot = this.#fleet.slotOf(id);
    if (slot === undefined) throw noSuchNode();
    if (this.#fleet.columns.owner[slot] !== caller.userId) throw notTheOwner();
    return slot;
  }

  /**
   * @returns the id and the report token, which is not stored and cannot be shown again
   * @throws AppError name_taken, unauthorized when the account is gone
   */
  async create(caller: Caller, given: NewNodeSettings): Promise<{ id: number; token: string }> {
    const token = newReportToken();
    const settings = withDefaults(given);
    const id = await this.#mutations.run(caller.userId, async (tx) => {
      const ownerEmailKey = await store.lockOwner(tx, this.#database.dialect, caller.userId);
      if (ownerEmailKey === undefined) throw accountIsGone();
      const now = this.#clock.now();
      const node: store.UnstoredNode = {
        ...settings,
        ownerId: caller.userId,
        tierSince: now,
        enabled: true,
        tokenHash: hashToken(token),
        period: firstPeriod(now, settings.resetCycleDays),
        createdAt: now,
      };
      const stored = await this.#refuseTakenName(settings.name, () => store.insertNode(tx, node));
      await this.#audit(tx, caller, "node.create", stored, { node_name: settings.name });
      return {
        result: stored,
        put: { ...node, id: stored, ownerEmailKey, previousToken: null },
      };
    });
    return { id, token };
  }

  /**
   * Changes the settings that are given.
   * @throws AppError not_found, forbidden, name_taken
   */
  async change(caller: Caller, id: number, settings: Partial<NodeSettings>): Promise<void> {
    await this.#mutateOwn(caller, id, async (tx, node) => {
      const change = planChange(node, settings, this.#clock.now());
      if (!change) return { result: undefined };
      const { update, differences } = change;
      const name = settings.name ?? node.name;
      await this.#refuseTakenName(name, () => store.updateNode(tx, id, update));
      await this.#audit(tx, caller, "node.update", id, {
        node_name: node.name,
        changed: differences,
      });
      return { result: undefined, put: { ...node, ...update } };
    });
  }

  /** @throws AppError not_found, forbidden */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.#mutateOwn(caller, id, async (tx, node) => {
      await store.deleteNode(tx, id);
      await this.#audit(tx, caller, "node.delete", id, { node_name: node.name });
      return { result: undefined, remove: id };
    });
  }

  /**
   * Makes a new report token; the one before works for ten more minutes.
   * @throws AppError not_found, forbidden
   */
  async rotateToken(caller: Caller, id: number): Promise<string> {
    const token = newReportToken();
    await this.#mutateOwn(caller, id, async (tx, node) => {
      const update = {
        tokenHash: hashToken(token),
        previousToken: {
          hash: node.tokenHash,
          until: this.#clock.now() + OLD_TOKEN_LIVES_MS,
        },
      };
      await store.updateNode(tx, id, update);
      await this.#audit(tx, caller, "node.rotate_token", id, { node_name: node.name });
      return { result: undefined, put: { ...node, ...update } };
    });
    return token;
  }

  /** Nodes of all owners by id, for administrators; those after the id `after`. */
  async listAll(
    page: { after: number; limit: number },
    filter: NodeFilter = {},
  ): Promise<AdminNode[]> {
    const { columns } = this.#fleet;
    const slots = slotsThatPass(this.#fleet, page, filter, this.#clock.now());
    const owners = slots.map((slot) => columns.owner[slot] as number);
    const addresses = await store.readAddresses(this.#database.db, [...new Set(owners)]);
    const now = this.#clock.now();
    // A node may have been deleted while the addresses were read.
    return slots.flatMap((slot, index) => {
      const owner = owners[index] as number;
      const address = addresses.get(owner);
      if (address === undefined || columns.owner[slot] !== owner) return [];
      return [toAdminNode(this.#fleet, slot, now, address)];
    });
  }

  /**
   * Switches a node on or off, for administrators.
   * @throws AppError not_found
   */
  async administer(caller: Caller, id: number, { enabled }: AdminNodeChange): Promise<void> {
    const ownerId = await store.findOwner(this.#database.db, id);
    if (ownerId === undefined) throw noSuchNode();
    await this.#mutations.run(ownerId, async (tx) => {
      const node = await store.lockNode(tx, this.#database.dialect, id);
      if (!node) throw noSuchNode();
      if (enabled === undefined || enabled === node.enabled) return { result: undefined };
      await store.updateNode(tx, id, { enabled });
      const action = enabled ? "node.enable" : "node.disable";
      await this.#audit(tx, caller, action, id, { node_name: node.name });
      return { result: undefined, put: { ...node, enabled } };
    });
  }

  /** Where a node is reached; undefined when there is no such node. */
  connectionsOf(id: number): Connection[] | undefined {
    const slot = this.#fleet.slotOf(id);
    return slot === undefined
      ? undefined
      : toNodeDetails(this.#fleet, slot, this.#clock.now()).connections;
  }

  /**
   * Changes where a node is reached, in turn with its owner's changes.
   * @param actor who is named in the audit log
   * @param change the same list again: nothing is to change
   * @returns whether something was changed; undefined when there is no such node
   */
  async changeConnections(
    id: number,
    actor: string,
    change: (connections: readonly Connection[]) => readonly Connection[],
  ): Promise<boolean | undefined> {
    const ownerId = await store.findOwner(this.#database.db, id);
    if (ownerId === undefined) return undefined;
    return this.#mutations.run<boolean | undefined>(ownerId, async (tx) => {
      const node = await store.lockNode(tx, this.#database.dialect, id);
      if (!node) return { result: undefined };
      const connections = change(node.connections);
      if (connections === node.connections) return { result: false };
      const planned = planChange(node, { connections: [...connections] }, this.#clock.now());
      if (!planned) return { result: false };
      const { update, differences } = planned;
      await store.updateNode(tx, id, update);
      const details = { node_name: node.name, changed: differences };
      const by = { id: null, name: actor };
      await recordAudit(tx, this.#clock, by, "node.update", `node:${id}`, details);
      return { result: true, put: { ...node, ...update } };
    });
  }

  /**
   * Deletes an owner's nodes within the transaction that deletes the account.
   * @returns what takes them out of memory; to be called once the transaction has been committed
   */
  async removeNodesOf(ownerId: number, transaction: Db): Promise<() => void> {
    this.#mutations.doubt(ownerId);
    const { dialect } = this.#database;
    const ids = await store.deleteNodesOf(transaction, dialect, ownerId);
    await logNodeChange(transaction, dialect, ownerId, 0);
    return () => this.#mutations.forgetOwner(ownerId, ids);
  }

  /** Brings the fleet in line with the storage where a commit's outcome was not learnt. */
  settle(): Promise<void> {
    return this.#mutations.settle();
  }

  /** Looks from now on for changes that the state, which the transaction reads, does not hold. */
  async follow(transaction: Db): Promise<void> {
    this.#changes = await FollowedChanges.begin(this.#database, transaction, this.#mutations);
  }

  /**
   * Takes in what has changed, here or elsewhere, since the last time.
   * @returns false when something was missed: then everything has to be loaded anew
   */
  catchUp(): Promise<boolean> {
    return this.#changes?.catchUp() ?? Promise.resolve(true);
  }

  dropOldChanges(): Promise<void> {
    return dropOldChanges(this.#database);
  }

  #mutateOwn<T>(
    caller: Caller,
    id: number,
    work: (transaction: Db, node: NodeRecord) => Promise<Committed<T>>,
  ): Promise<T> {
    return this.#mutations.run(caller.userId, async (tx) => {
      const node = await store.lockNode(tx, this.#database.dialect, id);
      if (!node) throw noSuchNode();
      if (node.ownerId !== caller.userId) throw notTheOwner();
      return work(tx, node);
    });
  }

  #refuseTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
    const taken = {
      error: `You have a node named ${name} already`,
      path: "node_name",
      message: "is the name of another node of yours",
    };
    return refuseTaken(this.#database.dialect, taken, write);
  }
}

function newReportToken(): string {
  return newToken("wpr");
}
