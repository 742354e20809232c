import { testQuietProbing } from "./quiet-probing.ts";

testQuietProbing(15);
