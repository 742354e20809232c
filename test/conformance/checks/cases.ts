import type { OverlayPeerOptions } from "../../support/overlay-peer.ts";
import type { Place } from "./set-ups.ts";

export const NETWORK = { name: "net", secret: "s3cr3t-of-the-network" };

/** What is expected everywhere, or, where places truly differ, at each of them. */
type Everywhere<T> = T | Readonly<Record<Place, T>>;

/** The fields of a result that a case is about. */
export interface Expected {
  is_online: boolean;
  handshake?: string;
  error?: string;
}

export interface CheckCase {
  title: string;
  /** The node that is checked; undefined when nobody listens there. */
  peer?: OverlayPeerOptions;
  /** In place of the peer's own address; `PORT` stands for its port. */
  server?: string;
  /** In place of the peer's network. */
  asked?: { network_name?: string; network_secret?: string };
  expected: Everywhere<Expected>;
}

const online = (handshake: string): Expected => ({ is_online: true, handshake });
const offline = (error: string): Expected => ({ is_online: false, error });

/** Workers insist on a valid certificate, which overlay nodes do not have. */
const onlineByTls = (handshake: string) => ({
  "the service": online(handshake),
  Node: online(handshake),
  Workers: online("not_tried"),
});

const refused = {
  "the service": offline("Connection refused"),
  Node: offline("Connection refused"),
  Workers: offline("No connection opened; the platform does not say why"),
};

export const checkCases: readonly CheckCase[] = [
  { title: "a member of the network", peer: {}, expected: online("ok") },
  { title: "one over WebSocket", peer: { transport: "ws" }, expected: online("ok") },
  { title: "one over TLS", peer: { transport: "wss" }, expected: onlineByTls("ok") },
  { title: "one on IPv6", peer: { host: "::1" }, expected: online("ok") },
  {
    title: "one with a name",
    peer: {},
    server: "tcp://localhost:PORT",
    expected: online("ok"),
  },
  {
    title: "one in another spelling of its address",
    peer: {},
    server: "TCP://0x7f.1:PORT/",
    expected: online("ok"),
  },
  {
    title: "one whose answers come byte by byte",
    peer: { line: "chopped" },
    expected: online("ok"),
  },
  { title: "one that talks a lot", peer: { mode: "talkative" }, expected: online("ok") },
  {
    title: "one that holds credentials only",
    peer: { mode: "credential" },
    expected: online("ok"),
  },
  {
    title: "one with another secret",
    peer: {},
    asked: { network_secret: "wrong" },
    expected: online("auth_failed"),
  },
  {
    title: "one with another secret over TLS",
    peer: { transport: "wss" },
    asked: { network_secret: "wrong" },
    expected: onlineByTls("auth_failed"),
  },
  {
    title: "one asked without a secret",
    peer: {},
    asked: { network_secret: "" },
    expected: online("auth_failed"),
  },
  {
    title: "a node of another network that carries ours",
    peer: { foreign: "relay" },
    asked: { network_name: "other" },
    expected: online("shared"),
  },
  {
    title: "a node of another network that carries its own only",
    peer: { foreign: "refuse" },
    asked: { network_name: "other" },
    expected: online("refused"),
  },
  { title: "a node in secure mode", peer: { mode: "secure" }, expected: online("secure_mode") },
  { title: "a web server", peer: { line: "web-server" }, expected: online("not_overlay") },
  {
    title: "a web server where a WebSocket is expected",
    peer: { line: "web-server", transport: "ws" },
    expected: online("not_overlay"),
  },
  { title: "something that hangs up", peer: { line: "closes" }, expected: online("not_overlay") },
  { title: "an echo", peer: { mode: "echo" }, expected: online("not_overlay") },
  { title: "junk", peer: { mode: "junk" }, expected: online("not_overlay") },
  { title: "another version", peer: { mode: "wrong-version" }, expected: online("not_overlay") },
  {
    title: "something that says nothing",
    peer: { line: "silent" },
    expected: online("not_overlay"),
  },
  {
    title: "something that says nothing where TLS is expected",
    peer: { line: "silent", transport: "wss" },
    expected: online("not_overlay"),
  },
  { title: "a closed port", expected: refused },
  {
    title: "a name that does not exist",
    server: "tcp://nobody.invalid:11010",
    expected: offline("The name has no address"),
  },
];

/** What is expected at one place. */
export function expectedAt<T extends object>(place: Place, expected: Everywhere<T>): T {
  return "the service" in expected ? expected[place] : expected;
}
