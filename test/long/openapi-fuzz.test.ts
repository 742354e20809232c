import { testOperations } from "../api/fuzzed-operations.ts";

testOperations({ runs: 2_000, limitMs: 10_000, deadlineMs: 30 * 60_000 });
