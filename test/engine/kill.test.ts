import { testKills } from "../durability/kill-rounds.ts";

testKills(5, 120_000);
