import fc from "fast-check";

/**
 * In CI properties are tried with the same inputs each time: what fails there is the change's, and not chance's, and fails again.
 * Elsewhere each run has inputs of its own, which find what nobody thought of.
 */
if (process.env.CI) fc.configureGlobal({ seed: 20_261_125 });
