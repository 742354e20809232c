import type { ProviderName } from "../../../shared/api/domains.ts";
import { alidns } from "./alidns.ts";
import { cloudflare } from "./cloudflare.ts";
import { desec } from "./desec.ts";
import { dnspod } from "./dnspod.ts";
import { duckdns } from "./duckdns.ts";
import { dyndns2 } from "./dyndns2.ts";
import { powerdns } from "./powerdns.ts";
import type { DnsProvider } from "./provider.ts";
import { rfc2136 } from "./rfc2136.ts";

/** Every provider there is. */
export const providers = {
  cloudflare,
  alidns,
  dnspod,
  rfc2136,
  powerdns,
  dyndns2,
  desec,
  duckdns,
} as const satisfies Record<ProviderName, DnsProvider<never>>;
