import { readFileSync, writeFileSync } from "node:fs";
import { minified } from "./minified.ts";

/** Writes what readers' browsers load as modules: the script that a report's own page may load, and the files of pages/. */

const root = new URL("../", import.meta.url);
const text = (path: string) => JSON.stringify(readFileSync(new URL(path, root), "utf8"));

writeFileSync(
  new URL("src/publish/margin-script.ts", root),
  `/** \`recheck-margin.js\`. Written by \`npm run margin\` from margin/: change it there. */
export const marginScript =
  ${JSON.stringify(minified())};
`,
);

writeFileSync(
  new URL("src/publish/pages/files.ts", root),
  `/** \`style.css\` and \`recheck.js\`. Written by \`npm run margin\` from pages/: change them there. */
export const style =
  ${text("pages/style.css")};
export const script =
  ${text("pages/recheck.js")};
`,
);
