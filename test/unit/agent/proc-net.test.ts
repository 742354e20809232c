import { expect, test } from "vitest";
import {
  defaultInterface,
  defaultInterface6,
  establishedAt,
  interfaceBytes,
} from "../../../src/agent/proc-net.ts";

const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 2467673754521 520740733    0    0    0     0          0         0 2467673754522 520740733    0    0    0     0       0          0
  eth0:18446744073709551615  109883    0    0    0     0          0         0  9419577   70602    0    0    0     0       0          0
 eth0.7: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
`;

test("the bytes of an interface are found by its whole name", () => {
  expect(interfaceBytes(dev, "eth0")).toEqual({ in: 18_446_744_073_709_551_615n, out: 9_419_577n });
  expect(interfaceBytes(dev, "eth0.7")).toEqual({ in: 1n, out: 9n });
  expect(interfaceBytes(dev, "lo")).toEqual({ in: 2_467_673_754_521n, out: 2_467_673_754_522n });
  expect(interfaceBytes(dev, "eth")).toBeUndefined();
  expect(interfaceBytes(dev, "face")).toBeUndefined();
});

const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:2B02 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:2B02 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
   2: 0100007F:D431 0100007F:2B02 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1
   3: 0100007F:2B02 0100007F:D432 06 00000000:00000000 03:00000F2D 00000000     0        0 0 3 0
`;
const tcp6 = `  sl  local_address                         remote_address                        st tx_queue
   0: 00000000000000000000000001000000:2B04 00000000000000000000000001000000:A001 01 00000000:00000000
`;

test("connections count when they are established and at one of the node's own ports", () => {
  expect(establishedAt(tcp, new Set([11_010]))).toBe(1);
  expect(establishedAt(tcp, new Set([80]))).toBe(0);
  expect(establishedAt(tcp6, new Set([11_010, 11_012]))).toBe(1);
});

const route = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
wlan0	00000000	0101A8C0	0003	0	0	600	00000000	0	0	0
eth0	00000000	0100000A	0003	0	0	100	00000000	0	0	0
dead0	00000000	00000000	0201	0	0	1	00000000	0	0	0
tun0	00000000	00000000	0001	0	0	0	00000080	0	0	0
`;
const route6 = `fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth1
`;

test("the default interface is that of the default route with the lowest metric", () => {
  expect(defaultInterface(route)).toBe("eth0");
  expect(defaultInterface("Iface\tDestination\n")).toBeUndefined();
  expect(defaultInterface6(route6)).toBe("eth1");
  expect(defaultInterface6("")).toBeUndefined();
});
