import type { Grant, MappingProtocol, MappingWish } from "./port-grant.ts";
import { findDescription } from "./upnp-discovery.ts";

const DISCOVERY_MS = 2_000;
const ANSWER_MS = 3_000;
const LONGEST_DESCRIPTION = 262_144;
/** Services that forward ports, of both generations and of lines that dial in. */
const SERVICE = /^urn:schemas-upnp-org:service:WAN(?:IP|PPP)Connection:\d$/;
/** The router keeps mappings until they are taken away, or has none with an end. */
const ONLY_PERMANENT = "725";
/** How long one without an end is trusted before it is asked for again. */
const PERMANENT_SECONDS = 3_600;
const DESCRIPTION = "Waypost";

interface Control {
  url: URL;
  /** Its type. */
  service: string;
}

export interface UpnpOptions {
  /** IPv4 address of the router, and of this host on its side. */
  router: string;
  localAddress: string;
  /** Where the router describes itself; absent = asked for in the network. */
  description?: URL;
}

/** Internet Gateway Device of UPnP, versions 1 and 2. */
export class Upnp implements MappingProtocol {
  readonly name = "upnp";
  readonly #options: UpnpOptions;
  #control: Control | undefined;

  constructor(options: UpnpOptions) {
    this.#options = options;
  }

  async map(wish: MappingWish, signal: AbortSignal): Promise<Grant | undefined> {
    try {
      this.#control ??= await this.#findControl(signal);
      if (!this.#control) return undefined;
      return await this.#map(this.#control, wish, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // It may have moved: it is looked for again next time.
      this.#control = undefined;
      if (error instanceof RouterError) return undefined;
      throw error;
    }
  }

  async #map(control: Control, wish: MappingWish, signal: AbortSignal): Promise<Grant> {
    const { transport, internalPort, externalPort, lifetimeSeconds } = wish;
    const which = {
      NewRemoteHost: "",
      NewExternalPort: externalPort,
      NewProtocol: transport.toUpperCase(),
    };
    if (lifetimeSeconds === 0) {
      await call(control, "DeletePortMapping", which, signal);
      return { externalPort, externalIp: null, lifetimeSeconds: 0 };
    }
    const what = {
      ...which,
      NewInternalPort: internalPort,
      NewInternalClient: this.#options.localAddress,
      NewEnabled: 1,
      NewPortMappingDescription: DESCRIPTION,
    };
    const granted = await addMapping(control, what, lifetimeSeconds, signal);
    const answer = await call(control, "GetExternalIPAddress", {}, signal);
    const externalIp = elementOf(answer, "NewExternalIPAddress") || null;
    return { externalPort, externalIp, lifetimeSeconds: granted };
  }

  async #findControl(signal: AbortSignal): Promise<Control | undefined> {
    const { router, localAddress, description } = this.#options;
    const url = description ?? (await findDescription(router, localAddress, DISCOVERY_MS, signal));
    return url && readControl(await request(url, { method: "GET" }, signal), url);
  }
}

/** The seconds granted. */
async function addMapping(
  control: Control,
  what: object,
  lifetimeSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const add = (lease: number) =>
    call(control, "AddPortMapping", { ...what, NewLeaseDuration: lease }, signal);
  try {
    await add(lifetimeSeconds);
    return lifetimeSeconds;
  } catch (error) {
    if (!(error instanceof RouterError) || error.code !== ONLY_PERMANENT) throw error;
    await add(0);
    return PERMANENT_SECONDS;
  }
}

/** The service that forwards ports. It must be of the router that describes itself. */
function readControl(description: string, url: URL): Control | undefined {
  const services = description.match(/<service>[\s\S]*?<\/service>/g) ?? [];
  for (const text of services) {
    const service = elementOf(text, "serviceType");
    const control = URL.parse(elementOf(text, "controlURL"), url.href);
    if (SERVICE.test(service) && control?.hostname === url.hostname) {
      return { url: control, service };
    }
  }
  return undefined;
}

/** The router refuses, or answers nonsense. */
class RouterError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The router answers with ${code}`);
    this.code = code;
  }
}

/** SOAP 1.1 (UPnP Device Architecture §3.2.1). @throws RouterError */
function call(
  { url, service }: Control,
  action: string,
  parameters: object,
  signal: AbortSignal,
): Promise<string> {
  const fields = Object.entries(parameters).map(([name, value]) => `<${name}>${value}</${name}>`);
  const body =
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" ' +
    's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>' +
    `<u:${action} xmlns:u="${service}">${fields.join("")}</u:${action}></s:Body></s:Envelope>`;
  const headers = {
    "content-type": 'text/xml; charset="utf-8"',
    soapaction: `"${service}#${action}"`,
  };
  return request(url, { method: "POST", headers, body }, signal);
}

async function request(url: URL, options: RequestInit, signal: AbortSignal): Promise<string> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, { ...options, redirect: "error", signal: limits });
    text = await readShort(answer);
  } catch (error) {
    throw new RouterError(error instanceof Error ? error.name : "nothing");
  }
  if (answer.ok) return text;
  throw new RouterError(elementOf(text, "errorCode") || `${answer.status}`);
}

async function readShort(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = answer.body;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > LONGEST_DESCRIPTION) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The text of the first element of that name, whatever its prefix. */
function elementOf(xml: string, name: string): string {
  const pattern = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([^<]*)<`);
  return pattern.exec(xml)?.[1]?.trim() ?? "";
}
