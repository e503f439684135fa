import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { isFull } from "./test/support/runs.ts";
import { filesBySpeed } from "./test/support/speeds.ts";

const { unit, system } = filesBySpeed();

export default defineConfig({
  test: {
    // `npm run test:unit` runs the first alone.
    projects: [
      { extends: true, test: { name: "unit", include: unit } },
      { extends: true, test: { name: "system", include: system, globalSetup: "test/support/built.ts" } },
    ],
    // On two cores vitest would use one; and some tests only wait, for browsers and processes.
    maxWorkers: availableParallelism() + 1,
    environment: "./test/support/worker.ts",
    // Files of cases (test/support/cases.ts) are written again by the flag that writes golden files again.
    provide: { rewrites: process.argv.some((argument) => argument === "-u" || argument === "--update") },
    // No test replaces a module or leaves a global changed; so each file needs no copy of the whole program of its own.
    isolate: false,
    // Node runs the program's files as it does for its users: nothing is rewritten.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // What a test makes it drops soon: with more room for what is young there is less to collect. And most code runs too
    // seldom in a test for the slow compiler to pay; V8's fast one stays. Full runs repeat more.
    execArgv: ["--min-semi-space-size=32", ...(isFull ? [] : ["--no-turbofan"])],
    // Children that inherit it start in half the time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "recheck-compile-cache") },
    // A slow machine is no defect: with others on it, tests may take fifty times as long as alone.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 50 } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/adapters/**", "src/faces/**", "src/**/*.d.ts"],
      thresholds: { branches: 90 },
    },
  },
});
