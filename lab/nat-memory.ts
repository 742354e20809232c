import type { Endpoint, Transport } from "./endpoint.ts";
import type { Namespace } from "./namespace.ts";

/** What `nft --json list table` says, as far as it is read here. */
interface Listing {
  nftables: { map?: { name: string; elem?: [Key, unknown][] } }[];
}

type Key = { elem: { val: { concat: Word[] } } };
type Word = string | number;

/** A mapping by its name in the rules: its number, or its port when the NAT keeps ports. */
export interface Remembered {
  transport: Transport;
  name: number;
  inside: Endpoint;
}

/** @returns the mappings that a NAT remembers */
export async function rememberedMappings(router: Namespace): Promise<Remembered[]> {
  return (await elementsOf(router, "insides")).map(([[transport, name], data]) => {
    const [address, port] = (data as { concat: [string, number] }).concat;
    return { transport: transport as Transport, name: Number(name), inside: { address, port } };
  });
}

/** Forgets the mappings of an inside endpoint, and their flows. Nothing may pass meanwhile. */
export async function forgetMappings(
  router: Namespace,
  transport: Transport,
  inside: Endpoint,
): Promise<void> {
  const { address, port } = inside;
  const mappings = (await rememberedMappings(router)).filter(
    (each) =>
      each.transport === transport && each.inside.address === address && each.inside.port === port,
  );
  const numbers = (await elementsOf(router, "numbers")).filter(
    ([key]) => key[0] === transport && key[1] === address && key[2] === port,
  );
  const rules = [
    ...mappings.map(({ name }) => `delete element ip nat insides { ${transport} . ${name} }\n`),
    ...numbers.map(([key]) => `delete element ip nat numbers { ${key.join(" . ")} }\n`),
  ];
  await router.run("nft", ["--file", "-"], rules.join(""));
  await forgetFlows(router, [transport, "--orig-src", address, "--orig-port-src", `${port}`]);
  await forgetFlows(router, [transport, "--reply-src", address, "--reply-port-src", `${port}`]);
}

async function forgetFlows(router: Namespace, flows: readonly string[]): Promise<void> {
  try {
    await router.run("conntrack", ["--delete", "--proto", ...flows]);
  } catch (error) {
    // It fails when there are none.
    if (!String(error).includes("0 flow entries")) throw error;
  }
}

async function elementsOf(router: Namespace, map: string): Promise<[Word[], unknown][]> {
  const json = await router.run("nft", ["--json", "list", "table", "ip", "nat"]);
  const listing = JSON.parse(json) as Listing;
  const found = listing.nftables.find((each) => each.map?.name === map);
  return (found?.map?.elem ?? []).map(([key, data]) => [key.elem.val.concat, data]);
}
