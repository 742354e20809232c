import type { Exchange } from "../../lib/exchange.ts";
import { classify } from "../classification.ts";
import type { TestFinding } from "./action.ts";

/** What a look at the target gave; a failure of the target is a finding, too. */
export async function toFinding(look: () => Promise<TestFinding>): Promise<TestFinding> {
  try {
    return await look();
  } catch (error) {
    const failure = classify(error);
    if (!failure) throw error;
    return { ok: false, message: failure.message, details: { error_class: failure.errorClass } };
  }
}

/** The last answer on record, as an outcome tells it. */
export function lastAnswer({ records }: Exchange): { httpStatus?: number; responseBody?: string } {
  const { status, response_body: body } = records.at(-1) ?? {};
  return {
    ...(typeof status === "number" ? { httpStatus: status } : {}),
    ...(typeof body === "string" ? { responseBody: body } : {}),
  };
}
