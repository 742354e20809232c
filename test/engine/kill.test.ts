import { testKills } from "../durability/kill-rounds.ts";

testKills(3, 120_000);
