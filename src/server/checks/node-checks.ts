import { formatServerAddress } from "../../probe/server-address.ts";
import type { Handshake } from "../../probe/verdict.ts";
import type { ConnectionCheck, NodeChecks } from "../../shared/api/node-checks.ts";
import type { Connection } from "../../shared/api/nodes.ts";
import type { NodeCheckTable } from "../database/schema.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { Caller } from "../users/caller.ts";
import { toServerAddress } from "./checkable.ts";
import { firstHour, toLastDay } from "./last-day.ts";
import type { CheckStore } from "./store.ts";

export interface OwnNodes {
  /**
   * The slot of one of the caller's nodes.
   * @throws AppError not_found, forbidden
   */
  findOwn(caller: Caller, id: number): number;
}

export interface NodeChecksParts {
  fleet: Fleet;
  nodes: OwnNodes;
  store: Pick<CheckStore, "read">;
  clock: Clock;
  /** 0 = nothing is checked. */
  intervalMs: number;
}

/** What background checks show an owner. */
export class NodeChecksView {
  readonly #parts: NodeChecksParts;

  constructor(parts: NodeChecksParts) {
    this.#parts = parts;
  }

  /** @throws AppError not_found, forbidden */
  async get(caller: Caller, id: number): Promise<NodeChecks> {
    const { fleet, nodes, store, clock, intervalMs } = this.#parts;
    const slot = nodes.findOwn(caller, id);
    const connections = fleet.texts.connectionsOf(slot);
    const healthy = fleet.columns.unreachable[slot] === 0;
    const hours = await store.read(id, firstHour(clock.now()));
    const answer: NodeChecks = {
      enabled: intervalMs > 0,
      interval_seconds: intervalMs / 1000,
      healthy,
      checks: [],
      not_checked: [],
    };
    for (const connection of connections) {
      const check = toCheck(connection, hours);
      if (check) answer.checks.push(check);
      else {
        answer.not_checked.push({ ...connection, reason: this.#reason(connection, hours) });
      }
    }
    return answer;
  }

  #reason(connection: Connection, hours: readonly NodeCheckTable[]): string {
    if (!toServerAddress(connection)) return "Only TCP, WS and WSS connections are checked";
    if (this.#parts.intervalMs === 0) return "Nodes are not checked: CHECK_INTERVAL_SECONDS is 0";
    return hoursOf(connection, hours).at(-1)?.error ?? "Its first check is still to come";
  }
}

/** The latest verdict; undefined when there is none. */
function toCheck(
  connection: Connection,
  allHours: readonly NodeCheckTable[],
): ConnectionCheck | undefined {
  const hours = hoursOf(connection, allHours);
  const latest = hours.at(-1);
  if (!latest || latest.is_online === null) return undefined;
  return {
    ...connection,
    is_online: latest.is_online === 1,
    latency_ms: latest.latency_ms,
    ...(latest.handshake === null ? {} : { handshake: latest.handshake as Handshake }),
    ...(latest.error === null ? {} : { error: latest.error }),
    check_time: toIso(latest.checked_at),
    last_24h: toLastDay(hours),
  };
}

function hoursOf(connection: Connection, hours: readonly NodeCheckTable[]): NodeCheckTable[] {
  const server = toServerAddress(connection);
  const name = server && formatServerAddress(server);
  return hours.filter((hour) => hour.connection === name);
}
