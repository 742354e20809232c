import { Type, type Static } from "typebox";
import { Run } from "./callbacks.ts";
import { MappingChange, Rule } from "./stun.ts";

export const eventLimits = {
  /** At once, over all readers; one more is a 503. */
  streams: 100,
  /** What waits for a reader that takes it slowly; with more it is cut off. */
  waitingBytes: 2 * 1024 * 1024,
  heartbeatSeconds: 15,
  /** How long a browser waits before it connects again. */
  retrySeconds: 3,
} as const;

/** The JSON in `data`, by the word in `event`. */
export const eventData = {
  stun_rule: Rule,
  stun_rule_removed: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  stun_change: MappingChange,
  callback_run: Run,
} as const;

export type EventName = keyof typeof eventData;
export type EventData<N extends EventName> = Static<(typeof eventData)[N]>;
/** One event of `GET /api/events`. */
export type ServerEvent = { [N in EventName]: { event: N; data: EventData<N> } }[EventName];

export const EventText = Type.String({
  description: [
    "`event:` with one of these words, `data:` with JSON on one line:",
    "`stun_rule`, a rule as `GET /api/stun/rules/{id}` shows it, when it or its state has changed, once in a second at most;",
    '`stun_rule_removed`, `{"id"}` of a rule that was deleted;',
    "`stun_change`, a confirmed change as `GET /api/stun/rules/{id}/changes` shows it;",
    "`callback_run`, a run as `GET /api/callbacks/runs` shows it, when its status has changed; states that last for a moment may be left out.",
    `Each ${eventLimits.heartbeatSeconds} s at least a comment.`,
  ].join("\n"),
});
