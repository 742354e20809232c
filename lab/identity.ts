import { readFileSync } from "node:fs";

const PREFIX = "waypost-lab";
const PATTERN = new RegExp(`^(${PREFIX}-(\\d+)-(\\d+)-\\d+)-`);

let count = 0;

/** A name that no other laboratory has or had: it tells the process and when that was started. */
export function newLaboratoryName(): string {
  count += 1;
  return `${PREFIX}-${process.pid}-${startTicks(process.pid)}-${count}`;
}

/** @returns the laboratory that a namespace belongs to, when its process is gone */
export function deadLaboratoryOf(namespace: string): string | undefined {
  const [, laboratory, pid, ticks] = PATTERN.exec(namespace) ?? [];
  if (!laboratory || startTicks(Number(pid)) === ticks) return undefined;
  return laboratory;
}

/** @returns undefined when there is no such process */
function startTicks(pid: number): string | undefined {
  try {
    // proc(5): the command's name, in brackets, may hold spaces; the start is field 22.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(19);
  } catch {
    return undefined;
  }
}
