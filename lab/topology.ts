import { CARRIER, HOME, INTERNET, STUN_SERVERS, WEB_HOSTS } from "./address-plan.ts";
import type { Namespace } from "./namespace.ts";
import { HOME_PORTS } from "./port-supply.ts";

/** Home host: one link to the router. */
export async function joinHome(home: Namespace, router: Namespace): Promise<void> {
  await connect(home, "lan", router, "lan");
  await router.configure([`addr add ${HOME.gateway}/24 dev lan`]);
  await home.configure([
    `addr add ${HOME.host}/24 dev lan`,
    `addr add ${HOME.secondary}/24 dev lan`,
    `route add default via ${HOME.gateway}`,
  ]);
  await home.set({ "ipv4/ip_local_port_range": HOME_PORTS });
}

/** A home router behind a carrier's NAT. */
export async function joinCarrier(router: Namespace, carrier: Namespace): Promise<void> {
  await connect(router, "wan", carrier, "lan");
  await carrier.configure([
    `addr add ${CARRIER.gateway}/32 dev lan`,
    `route add ${CARRIER.prefix} dev lan`,
  ]);
  await router.configure([
    ...CARRIER.pool.map((address) => `addr add ${address}/32 dev wan`),
    `route add ${CARRIER.prefix} dev wan`,
    `route add default via ${CARRIER.gateway}`,
  ]);
}

/** The outermost router, and every host of the internet on one link. */
export async function joinInternet(router: Namespace, internet: Namespace): Promise<void> {
  await connect(router, "wan", internet, "net");
  const hosts = [
    ...STUN_SERVERS.flatMap((server) => server.addresses),
    ...WEB_HOSTS.map((host) => host.address),
    INTERNET.stranger,
    INTERNET.otherStranger,
  ];
  await router.configure([
    ...INTERNET.pool.map((address) => `addr add ${address}/32 dev wan`),
    `route add ${INTERNET.prefix} dev wan`,
  ]);
  await internet.configure([
    ...hosts.map((address) => `addr add ${address}/32 dev net`),
    `route add ${INTERNET.poolPrefix} dev net src ${INTERNET.stranger}`,
  ]);
}

async function connect(
  near: Namespace,
  nearLink: string,
  far: Namespace,
  farLink: string,
): Promise<void> {
  await near.configure([
    `link add ${nearLink} type veth peer name ${farLink} netns ${far.name}`,
    `link set ${nearLink} up`,
  ]);
  await far.configure([`link set ${farLink} up`]);
}
