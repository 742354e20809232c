import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";

const RENEWED_MS = 10_000;

/** "3 minutes ago", with the exact time behind it. @param at ISO 8601, in the past */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {format.relative(at, Math.max(now, Date.parse(at)))}
    </time>
  );
}
