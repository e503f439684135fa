import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const source = fileURLToPath(new URL("../margin/recheck-margin.ts", import.meta.url));

/** `recheck-margin.js`: the margin script as one file, as small as it gets. */
export function minified(): string {
  // Without TypeScript's settings, which would have it ask for strict mode: it would do nothing else without.
  const settings = {
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    tsconfigRaw: {},
  } as const;
  const { outputFiles } = buildSync({ ...settings, entryPoints: [source] });
  return outputFiles[0]?.text.trim() ?? "";
}
