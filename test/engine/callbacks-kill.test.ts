import { testCallbackKills } from "../durability/callback-kills.ts";

testCallbackKills(["sqlite"], 180_000, "effects");
