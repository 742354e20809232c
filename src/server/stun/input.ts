import { isIP } from "node:net";
import type { FieldError } from "../../shared/field-errors.ts";
import { NewRule, RuleChange, stunLimits } from "../../shared/api/stun.ts";
import { toHost } from "../lib/address.ts";
import { invalidFields } from "../lib/errors.ts";
import { formatHostPort, parseHostPort, type HostPort } from "../lib/host-port.ts";
import { compileInput } from "../lib/input.ts";
import type { ForwardTarget } from "./hole.ts";
import type { RuleSettings } from "./rule.ts";

const checkNew = compileInput(NewRule);
const checkChange = compileInput(RuleChange);

/** What a new rule must say. */
export type NewRuleSettings = Partial<RuleSettings> & Pick<RuleSettings, "name" | "transport">;

/** @throws AppError invalid_request naming each field that is wrong */
export function parseNewRule(body: unknown): NewRuleSettings {
  const given = checkNew(body ?? {});
  return { ...read(given), transport: given.transport } as NewRuleSettings;
}

/** @throws AppError invalid_request naming each field that is wrong */
export function parseRuleChange(body: unknown): Partial<RuleSettings> {
  return read(checkChange(body ?? {}));
}

export function withDefaults(given: NewRuleSettings, instance: string): RuleSettings {
  return {
    enabled: true,
    localAddress: null,
    localPort: 0,
    stunServers: [],
    keepaliveHosts: [],
    probeIntervalSeconds: 20,
    settleSeconds: 3,
    forwardTo: null,
    triggerCallbacks: true,
    instance,
    ...given,
  };
}

type Faults = FieldError[];

const asItIs = <T>(value: T): T => value;

/** What a schema cannot say is checked here. */
function read(given: RuleChange): Partial<RuleSettings> {
  const faults: Faults = [];
  const settings: Partial<RuleSettings> = {};
  const take = <K extends keyof RuleSettings, V>(
    key: K,
    value: V | undefined,
    reader: (value: V) => RuleSettings[K],
  ) => {
    if (value !== undefined) settings[key] = reader(value);
  };
  take("name", given.name, (value) => readName(value, faults));
  take("enabled", given.enabled, asItIs);
  take("transport", given.transport, asItIs);
  take("localAddress", given.local_address, (value) => readAddress(value, faults));
  take("localPort", given.local_port, asItIs);
  take("stunServers", given.stun_servers, (list) => readList("stun_servers", list, faults));
  take("keepaliveHosts", given.keepalive_hosts, (list) =>
    readList("keepalive_hosts", list, faults),
  );
  take("probeIntervalSeconds", given.probe_interval_seconds, asItIs);
  take("settleSeconds", given.settle_seconds, asItIs);
  take("forwardTo", given.forward_to, (value) => readForward(value, faults));
  take("triggerCallbacks", given.trigger_callbacks, asItIs);
  take("instance", given.instance, (value) => readInstance(value, faults));
  if (faults.length > 0) throw invalidFields(faults);
  return settings;
}

const CONTROL = /\p{Cc}/u;

function readName(value: string, faults: Faults): string {
  const name = value.trim();
  const refuse = (message: string) => faults.push({ path: "name", message });
  if (name === "") refuse("must not be empty");
  else if (CONTROL.test(name)) refuse("must not contain control characters");
  else if ([...name].length > stunLimits.nameLength) {
    refuse(`must have at most ${stunLimits.nameLength} characters`);
  }
  return name;
}

function readAddress(value: string | null, faults: Faults): string | null {
  if (value === null) return null;
  const address = toHost(value);
  if (address !== undefined && isIP(address) !== 0) return address;
  faults.push({ path: "local_address", message: "must be an IPv4 or IPv6 address, or null" });
  return null;
}

function readList(path: string, list: readonly string[], faults: Faults): HostPort[] {
  const seen = new Set<string>();
  return list.flatMap((text, at) => {
    const parsed = parseHostPort(text.trim());
    const refuse = (message: string) => {
      faults.push({ path: `${path}.${at}`, message });
      return [];
    };
    if (!parsed) return refuse("must be host:port, the host a DNS name, an IPv4 address or [IPv6]");
    if (seen.has(formatHostPort(parsed))) return refuse("is in the list already");
    seen.add(formatHostPort(parsed));
    return [parsed];
  });
}

function readForward(
  value: Exclude<RuleChange["forward_to"], undefined>,
  faults: Faults,
): ForwardTarget | null {
  if (value === null) return null;
  const host = toHost(value.host);
  if (host === undefined) {
    faults.push({
      path: "forward_to.host",
      message: "must be an IPv4 address, an IPv6 address or a DNS name",
    });
    return null;
  }
  return { host, port: value.port, proxyProtocol: value.proxy_protocol ?? false };
}

function readInstance(value: string, faults: Faults): string {
  if (!/^[a-z0-9_-]{1,32}$/.test(value)) {
    faults.push({ path: "instance", message: "must be 1–32 of a–z, 0–9, - and _" });
  }
  return value;
}
