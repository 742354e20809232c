import { ErrorBody } from "../../shared/api/common.ts";

type Refusable = 400 | 401 | 403 | 404 | 409 | 429 | 503;

/** The refusals a route can give, beside those that every route can. */
export function refusals<S extends Refusable>(...statuses: S[]): Record<S, typeof ErrorBody> {
  const entries = statuses.map((status) => [status, ErrorBody]);
  return Object.fromEntries(entries) as Record<S, typeof ErrorBody>;
}
