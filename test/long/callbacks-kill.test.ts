import { testCallbackKills } from "../durability/callback-kills.ts";

testCallbackKills(["postgres"], 600_000);
