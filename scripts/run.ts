/**
 * Runs the program in a clone: the bundle of `npm run build` if it is newer than all sources, which starts and reads pages
 * several times as fast; else the sources, whose compiled form Node keeps.
 */
import { readdirSync, statSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Whether nothing that the bundle is made of changed since: no file, and no folder's list of files. */
function isBundleFresh(): boolean {
  const built = statSync(join(root, "dist/main.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isOlder = (path: string) => statSync(path).mtimeMs < built;
  if (built === 0 || !["package-lock.json", "scripts/build.ts", "src"].every((path) => isOlder(join(root, path))))
    return false;
  const below = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
  return below.every(({ parentPath, name }) => isOlder(join(parentPath, name)));
}

if (isBundleFresh()) createRequire(import.meta.url)("../bin/recheck.cjs");
else {
  enableCompileCache();
  await import("../src/faces/cli/main.ts");
}
