import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/adapters/**", "src/faces/**", "src/**/*.d.ts"],
      thresholds: { branches: 90 },
    },
  },
});
