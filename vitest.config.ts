import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{unit,api,engine}/**/*.test.ts", "test/architecture/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
