import type { ActionInput } from "../../src/server/callbacks/actions/action.ts";
import type { EventWord, Mapping } from "../../src/server/callbacks/change.ts";
import { toTemplateValues } from "../../src/server/callbacks/template-values.ts";
import type { Exchange } from "../../src/server/lib/exchange.ts";

interface Occasion<C> {
  config: C;
  exchange: Exchange;
  mapping?: Mapping;
  previous?: Mapping | null;
  event?: EventWord;
  runId?: number;
  now: number;
  ruleName?: string;
}

/** What an action is given when the rule's port changed. */
export function actionInput<C>(occasion: Occasion<C>): ActionInput<C> {
  const {
    config,
    exchange,
    mapping = { publicIp: "203.0.113.9", publicPort: 50_234 },
    previous = { publicIp: "203.0.113.9", publicPort: 50_001 },
    event = "stun_port_change",
    runId = 42,
    now,
    ruleName = "nas",
  } = occasion;
  const rule = { id: 7, name: ruleName, transport: "tcp" as const };
  const values = toTemplateValues({ rule, mapping, previous, event, runId, at: now });
  const run = { id: runId, attempt: 1 };
  return { config, mapping, previous, values, exchange, run, now: () => now };
}
