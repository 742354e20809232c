/** What a simulated owner knows about a node; bandwidth in Mbit/s, traffic in GB. */
export interface Plan {
  node_name: string;
  region_type: "domestic" | "overseas";
  region_detail: string;
  connections: { type: string; ip: string; port: number }[];
  tier_bandwidth: number;
  max_bandwidth: number;
  max_traffic: number;
  max_connections: number;
  tags: string;
  allow_relay: 0 | 1;
}

const places: readonly [code: string, city: string, region: Plan["region_type"]][] = [
  ["ber", "Berlin", "domestic"],
  ["dus", "Düsseldorf", "domestic"],
  ["fra", "Frankfurt", "domestic"],
  ["ham", "Hamburg", "domestic"],
  ["muc", "Munich", "domestic"],
  ["nue", "Nuremberg", "domestic"],
  ["ams", "Amsterdam", "overseas"],
  ["hel", "Helsinki", "overseas"],
  ["sin", "Singapore", "overseas"],
  ["nyc", "New York", "overseas"],
];

/** From the line at home to the rented machine in a data centre. */
const sizes = [
  { max: 40, tier: 40, connections: 12, traffic: 0, tags: "home" },
  { max: 100, tier: 100, connections: 25, traffic: 4_000, tags: "small" },
  { max: 250, tier: 200, connections: 40, traffic: 16_000, tags: "medium, ipv6" },
  { max: 500, tier: 500, connections: 70, traffic: 40_000, tags: "medium, ipv6" },
  { max: 1_000, tier: 800, connections: 160, traffic: 80_000, tags: "large, ipv6, 24/7" },
];

/** `count` nodes of different places and sizes; the same ones each time. */
export function planFleet(count: number): Plan[] {
  return Array.from({ length: count }, (_, index) => {
    const [code, city, region] = pick(places, index);
    const size = pick(sizes, Math.floor(index / places.length) + (index % 3));
    return {
      node_name: `${code}-${String(Math.floor(index / places.length) + 1).padStart(2, "0")}`,
      region_type: region,
      region_detail: city,
      connections: [
        { type: "TCP", ip: `198.51.100.${(index % 250) + 1}`, port: 11010 },
        { type: "UDP", ip: `198.51.100.${(index % 250) + 1}`, port: 11010 },
      ],
      tier_bandwidth: size.tier,
      max_bandwidth: size.max,
      max_traffic: size.traffic,
      max_connections: size.connections,
      tags: size.tags,
      allow_relay: index % 4 === 0 ? 0 : 1,
    };
  });
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
