import { defineConfig } from "vitest/config";
import { RunOrder } from "./test/support/run-order.ts";

const shared = {
  globalSetup: ["test/support/global-setup.ts"],
  pool: "forks" as const,
  hookTimeout: 120_000,
  // What is awaited comes at once, on a machine that has nothing else to do.
  expect: { poll: { timeout: 5_000 } },
};

export default defineConfig({
  test: {
    // Much of what is tested waits: for processes, for routers, for the clock of a protocol.
    maxWorkers: 4,
    sequence: { sequencer: RunOrder },
    teardownTimeout: 30_000,
    projects: [
      {
        test: {
          ...shared,
          name: "normal",
          include: [
            "test/{unit,api,engine,edge,conformance,lab,web}/**/*.test.ts",
            "test/architecture/*.test.ts",
          ],
          // Ends what hangs; a slow machine is no failure.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          name: "long",
          include: ["test/long/**/*.test.ts"],
          testTimeout: 30 * 60_000,
        },
      },
    ],
  },
});
