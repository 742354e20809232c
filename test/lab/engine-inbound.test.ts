import { testInbound } from "./inbound-connections.ts";

testInbound(200);
