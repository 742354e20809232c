import type { Endpoint, Transport } from "./endpoint.ts";
import type { Namespace } from "./namespace.ts";

/** What `nft --json list table` says, as far as it is read here. */
interface Listing {
  nftables: { map?: { name: string; elem?: [Key, unknown][] } }[];
}

type Key = { elem: { val: { concat: Word[] } } };
type Word = string | number;
/** The words of its key, and what it leads to. */
type Element = [Word[], unknown];

/** A mapping by its name in the rules: its number, or its port when the NAT keeps ports. */
export interface Remembered {
  transport: Transport;
  name: number;
  inside: Endpoint;
}

/** @returns the mappings that a NAT remembers */
export async function rememberedMappings(router: Namespace): Promise<Remembered[]> {
  return toRemembered(elementsOf(await list(router), "insides"));
}

function toRemembered(elements: readonly Element[]): Remembered[] {
  return elements.map(([[transport, name], data]) => {
    const [address, port] = (data as { concat: [string, number] }).concat;
    return { transport: transport as Transport, name: Number(name), inside: { address, port } };
  });
}

/** Forgets the mappings of inside endpoints, and their flows. Nothing may pass meanwhile. */
export async function forgetMappings(
  router: Namespace,
  transport: Transport,
  insides: readonly Endpoint[],
): Promise<void> {
  const forgotten = new Set(insides.map(({ address, port }) => `${address} ${port}`));
  const isForgotten = (ofTransport: Word, address: Word, port: Word) =>
    ofTransport === transport && forgotten.has(`${address} ${port}`);
  const listing = await list(router);
  const mappings = toRemembered(elementsOf(listing, "insides")).filter(
    ({ transport: own, inside }) => isForgotten(own, inside.address, inside.port),
  );
  const numbers = elementsOf(listing, "numbers").filter(([[own = "", address = "", port = ""]]) =>
    isForgotten(own, address, port),
  );
  const rules = [
    ...mappings.map(({ name }) => `delete element ip nat insides { ${transport} . ${name} }\n`),
    ...numbers.map(([key]) => `delete element ip nat numbers { ${key.join(" . ")} }\n`),
  ];
  await router.run("nft", ["--file", "-"], rules.join(""));
  await Promise.all(
    insides.map(async ({ address, port }) => {
      await forgetFlows(router, [transport, "--orig-src", address, "--orig-port-src", `${port}`]);
      await forgetFlows(router, [transport, "--reply-src", address, "--reply-port-src", `${port}`]);
    }),
  );
}

async function forgetFlows(router: Namespace, flows: readonly string[]): Promise<void> {
  try {
    await router.run("conntrack", ["--delete", "--proto", ...flows]);
  } catch (error) {
    // It fails when there are none.
    if (!String(error).includes("0 flow entries")) throw error;
  }
}

async function list(router: Namespace): Promise<Listing> {
  return JSON.parse(await router.run("nft", ["--json", "list", "table", "ip", "nat"])) as Listing;
}

function elementsOf({ nftables }: Listing, name: string): Element[] {
  const found = nftables.find(({ map }) => map?.name === name);
  return (found?.map?.elem ?? []).map(([key, data]) => [key.elem.val.concat, data]);
}
