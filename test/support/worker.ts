import module from "node:module";
import fc from "fast-check";
import { builtinEnvironments, type Environment } from "vitest/runtime";
import { isFull, runs } from "./runs.ts";

/** What a worker of the tests gets before its first file. */
export default {
  ...builtinEnvironments.node,
  name: "worker",
  setup(global, options) {
    // In CI each change is tried with the same inputs: what fails there is the change's, and not chance's, and fails again.
    // Elsewhere each run has inputs of its own, which find what nobody thought of.
    fc.configureGlobal({ numRuns: runs(100), ...(process.env.CI && !isFull && { seed: 20_261_125 }) });
    // While it watches, vitest must hear of each import. Node 22.13 has no such hooks.
    if (process.env.VITEST_MODE !== "WATCH" && "registerHooks" in module) module.registerHooks({ resolve });
    return builtinEnvironments.node.setup(global, options);
  },
} satisfies Environment;

/**
 * What imports of files give, without the questions to the disk and the message to vitest for each. A worker loads 800
 * files by 6,000 imports, which took a tenth of its time.
 */
const resolve: NonNullable<Parameters<typeof module.registerHooks>[0]["resolve"]> = (specifier, context, next) =>
  context.parentURL !== undefined && /^\.\.?\/.*\.ts$/.test(specifier)
    ? { url: new URL(specifier, context.parentURL).href, format: "module-typescript", shortCircuit: true }
    : next(specifier, context);
