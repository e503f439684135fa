import { writeFileSync } from "node:fs";
import { minified } from "./minified.ts";

/** Writes src/publish/margin-script.ts: the script that a report's own page may load, from its source in margin/. */

writeFileSync(
  new URL("../src/publish/margin-script.ts", import.meta.url),
  `/** \`recheck-margin.js\`. Written by \`npm run margin\` from margin/: change it there. */
export const marginScript =
  ${JSON.stringify(minified())};
`,
);
