import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Generous: a slow machine is no defect.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/adapters/**", "src/faces/**", "src/**/*.d.ts"],
      thresholds: { branches: 90 },
    },
  },
});
