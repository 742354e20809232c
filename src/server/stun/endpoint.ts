import { formatHostPort } from "../lib/host-port.ts";

/** An IP address in its one spelling (`toHost`), and a port. */
export interface Endpoint {
  address: string;
  port: number;
}

/** `192.0.2.1:3478`, `[2001:db8::1]:3478` */
export function formatEndpoint({ address, port }: Endpoint): string {
  return formatHostPort({ host: address, port });
}

export function sameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return a.port === b.port && a.address === b.address;
}
