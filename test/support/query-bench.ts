import { Fleet } from "../../src/server/nodes/fleet.ts";
import type { AppliedReport, NodeRecord } from "../../src/server/nodes/node.ts";
import { QueryService } from "../../src/server/query/service.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "./fleet-nodes.ts";
import { ManualClock } from "./manual-clock.ts";
import { seededChance } from "./seeded-chance.ts";

/** A fleet with a query service; nodes are named by their ids. */
export class QueryBench {
  readonly clock = new ManualClock(FLEET_EPOCH);
  readonly fleet = new Fleet();
  readonly service = new QueryService(this.fleet, this.clock, seededChance(30));

  add(id: number, fields: Partial<NodeRecord> = {}, report: Partial<AppliedReport> = {}): void {
    this.fleet.put(nodeRecord(id, fields), this.clock.now());
    this.report(id, report);
  }

  report(id: number, fields: Partial<AppliedReport> = {}): void {
    this.fleet.applyReport(this.slot(id), reportAt(this.clock.now(), fields));
  }

  slot(id: number): number {
    const slot = this.fleet.slotOf(id);
    if (slot === undefined) throw new Error(`no node ${id}`);
    return slot;
  }
}
