export interface ZoneRecord {
  name: string;
  type: string;
  ttl: number;
  /** As a zone file has it. */
  value: string;
}

/** The zone of the tests. */
export const ZONE = "example.com";

export function toZoneFile(records: readonly ZoneRecord[]): string {
  const lines = records.map(({ name, ttl, type, value }) => `${name}. ${ttl} IN ${type} ${value}`);
  return [
    `${ZONE}. 3600 IN SOA ns1.${ZONE}. admin.${ZONE}. 1 7200 900 1209600 60`,
    `${ZONE}. 3600 IN NS ns1.${ZONE}.`,
    `ns1.${ZONE}. 3600 IN A 127.0.0.1`,
    ...lines,
    "",
  ].join("\n");
}
