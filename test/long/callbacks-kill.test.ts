import { testCallbackKills } from "../durability/callback-kills.ts";

testCallbackKills(["sqlite", "postgres"], 600_000, "every step");
