import { testKills } from "../durability/kill-rounds.ts";

testKills(100, 30 * 60_000);
