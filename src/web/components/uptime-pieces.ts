import type { NodeHistory } from "../../shared/api/stats.ts";
import type { UptimePiece } from "./uptime-strip.tsx";

const PIECES = 60;

/** About sixty pieces, each the mean of the points it stands for. */
export function toUptimePieces({ points }: Pick<NodeHistory, "points">): UptimePiece[] {
  const each = Math.max(1, Math.ceil(points.length / PIECES));
  const pieces: UptimePiece[] = [];
  for (let start = 0; start < points.length; start += each) {
    const part = points.slice(start, start + each);
    const sum = part.reduce((total, { uptime }) => total + uptime, 0);
    pieces.push({ from: part[0]?.at ?? "", uptime: sum / part.length });
  }
  return pieces;
}
