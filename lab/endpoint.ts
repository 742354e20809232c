export type Transport = "udp" | "tcp";

export interface Endpoint {
  /** IPv4 */
  address: string;
  port: number;
}

export function endpointText(endpoint: Endpoint): string {
  return `${endpoint.address}:${endpoint.port}`;
}
