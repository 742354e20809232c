import { testInbound } from "../lab/inbound-connections.ts";

testInbound(1_000);
