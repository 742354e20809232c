import type { DiagnosedServer, StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";

type Dependence = StunDiagnosis["mapping"];

const mappings: Readonly<Record<Dependence, string>> = {
  endpoint_independent: "the same public port for everybody",
  address_dependent: "another public port for each address",
  address_and_port_dependent: "another public port for each address and port",
  none: "no NAT",
  unknown: "unknown",
};

const filters: Readonly<Record<Dependence, string>> = {
  endpoint_independent: "lets everybody in",
  address_dependent: "lets in addresses that were sent to",
  address_and_port_dependent: "lets in addresses and ports that were sent to",
  none: "no filter",
  unknown: "unknown",
};

/** For people, line by line. */
export function describeDiagnosis(found: StunDiagnosis): string[] {
  const rows: [string, string][] = [
    ["Transport", found.transport.toUpperCase()],
    ["Public address", found.public_ip ?? "unknown"],
    ["Mapping", mappings[found.mapping]],
    ["Filter", filters[found.filtering]],
    ["Reachable from inside", toWord(found.hairpin)],
  ];
  return [
    ...inColumns(rows),
    "",
    "Servers",
    ...inColumns(found.servers.map(toRow)).map((line) => `  ${line}`),
    "",
    "What this means",
    ...found.advice.map((sentence) => `  - ${sentence}`),
  ];
}

function toWord(value: boolean | null): string {
  return value === null ? "unknown" : value ? "yes" : "no";
}

function toRow({
  server,
  rtt_ms,
  public_ip,
  public_port,
  error,
}: DiagnosedServer): [string, string] {
  if (public_ip === null) return [server, error ?? ""];
  const host = public_ip.includes(":") ? `[${public_ip}]` : public_ip;
  return [server, `${host}:${public_port}${rtt_ms === null ? "" : `, ${rtt_ms} ms`}`];
}

function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => name.padEnd(width) + value);
}
