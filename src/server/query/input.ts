import { QueryInput, queryLimits } from "../../shared/api/query.ts";
import { transports, type Transport } from "../../shared/api/nodes.ts";
import { invalidFields } from "../lib/errors.ts";
import { compileInput } from "../lib/input.ts";
import { toTagKey } from "../nodes/tag-index.ts";
import type { QueryFilter } from "./filter.ts";

export interface Query {
  filter: QueryFilter;
  limit: number;
  /** Node ids. */
  exclude: readonly number[];
}

const check = compileInput(QueryInput);
const nothing: QueryInput = {};
const nobody: readonly number[] = [];

/**
 * What a query's body asks for; undefined stands for no body.
 * @throws AppError invalid_request with the fields that are wrong
 */
export function readQuery(body: unknown): Query {
  const input = body === undefined ? nothing : check(body);
  return {
    filter: {
      region: input.region ?? "all",
      priority: input.priority ?? null,
      relayOnly: input.relay_only ?? false,
      tagKey: input.tag === undefined ? "" : toTagKey(input.tag),
      transport: input.transport === undefined ? null : toTransport(input.transport),
    },
    limit: input.limit ?? queryLimits.nodesUnasked,
    exclude: input.exclude ?? nobody,
  };
}

function toTransport(word: string): Transport {
  const found = transports.find((each) => each === word || each === word.toUpperCase());
  if (found) return found;
  const last = transports.at(-1);
  const message = `must be ${transports.slice(0, -1).join(", ")} or ${last}`;
  throw invalidFields([{ path: "transport", message }]);
}
