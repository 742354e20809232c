import { testKeyKills } from "../durability/key-kills.ts";

testKeyKills(120_000);
