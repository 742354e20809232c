import { invalidFields } from "../lib/errors.ts";
import type { HoleFactory, HolePlan } from "./hole-keeper.ts";
import { HoleError, type HoleErrorCode } from "./hole.ts";

/** The field to which it is put down that a hole cannot be opened. */
const fields: Record<HoleErrorCode, string> = {
  port_in_use: "local_port",
  address_not_ours: "local_address",
  not_permitted: "local_port",
  not_supported: "transport",
  failed: "local_port",
};

/**
 * Opens the hole for a moment, to see whether that can be done.
 * @throws AppError invalid_request
 */
export async function tryHole(plan: HolePlan, createHole: HoleFactory): Promise<void> {
  const hole = createHole({ ...plan, keepaliveHosts: [] }, { lost: () => {} });
  try {
    await hole.open();
  } catch (error) {
    if (!(error instanceof HoleError)) throw error;
    throw invalidFields([{ path: fields[error.code], message: `is refused: ${error.message}` }]);
  } finally {
    await hole.close();
  }
}
