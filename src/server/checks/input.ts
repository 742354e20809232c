import type { CheckQuery } from "../../shared/api/checks.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import type { CheckTarget } from "../../probe/probe.ts";
import { parseServerAddress } from "../../probe/server-address.ts";
import { invalidFields } from "../lib/errors.ts";

const BAD_SERVER =
  "must be tcp://<host>:<port>, ws://<host>:<port> or wss://<host>:<port>, the host being an IPv4 address, an IPv6 address in brackets or a DNS name";

/** @throws AppError invalid_request */
export function toTarget(query: CheckQuery): CheckTarget {
  const target = readTarget(query);
  if (target) return target;
  throw invalidFields([{ path: "server", message: BAD_SERVER }]);
}

/** @throws AppError invalid_request naming each node that is wrong */
export function toTargets(nodes: readonly CheckQuery[]): CheckTarget[] {
  const faults: FieldError[] = [];
  const targets: CheckTarget[] = [];
  for (const [index, node] of nodes.entries()) {
    const target = readTarget(node);
    if (target) targets.push(target);
    else faults.push({ path: `nodes.${index}.server`, message: BAD_SERVER });
  }
  if (faults.length > 0) throw invalidFields(faults);
  return targets;
}

function readTarget(query: CheckQuery): CheckTarget | undefined {
  const server = parseServerAddress(query.server);
  return server && { server, networkName: query.network_name, networkSecret: query.network_secret };
}
