import { testOperations } from "./fuzzed-operations.ts";

testOperations({ runs: 60, limitMs: 400, deadlineMs: 120_000 });
