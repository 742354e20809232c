import type { NodeHistory, NodePoint } from "../../shared/api/stats.ts";
import type { UptimePiece } from "./uptime-strip.tsx";

const PIECES = 60;

/**
 * The points without the one that has just begun and of which nothing is known yet: it would look
 * like an outage. @param now ms since 1970
 */
export function toKnownPoints(history: NodeHistory, now: number): readonly NodePoint[] {
  const { points, step_seconds: step } = history;
  const last = points.at(-1);
  const isOpen = last !== undefined && Date.parse(last.at) + step * 1000 > now;
  return isOpen && last.uptime === 0 && points.length > 1 ? points.slice(0, -1) : points;
}

/** About sixty pieces, each the mean of the points it stands for. */
export function toUptimePieces(points: readonly NodePoint[]): UptimePiece[] {
  const each = Math.max(1, Math.ceil(points.length / PIECES));
  const pieces: UptimePiece[] = [];
  for (let start = 0; start < points.length; start += each) {
    const part = points.slice(start, start + each);
    const sum = part.reduce((total, { uptime }) => total + uptime, 0);
    pieces.push({ from: part[0]?.at ?? "", uptime: sum / part.length });
  }
  return pieces;
}
