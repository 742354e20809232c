import type { CheckQuery } from "../../shared/api/checks.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import type { CheckTarget } from "../../probe/probe.ts";
import { parseServerAddress, SERVER_ADDRESS_RULE } from "../../probe/server-address.ts";
import { invalidFields } from "../lib/errors.ts";

/** @throws AppError invalid_request */
export function toTarget(query: CheckQuery): CheckTarget {
  const target = readTarget(query);
  if (target) return target;
  throw invalidFields([{ path: "server", message: SERVER_ADDRESS_RULE }]);
}

/** @throws AppError invalid_request naming each node that is wrong */
export function toTargets(nodes: readonly CheckQuery[]): CheckTarget[] {
  const faults: FieldError[] = [];
  const targets: CheckTarget[] = [];
  for (const [index, node] of nodes.entries()) {
    const target = readTarget(node);
    if (target) targets.push(target);
    else faults.push({ path: `nodes.${index}.server`, message: SERVER_ADDRESS_RULE });
  }
  if (faults.length > 0) throw invalidFields(faults);
  return targets;
}

function readTarget(query: CheckQuery): CheckTarget | undefined {
  const server = parseServerAddress(query.server);
  return server && { server, networkName: query.network_name, networkSecret: query.network_secret };
}
