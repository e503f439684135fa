import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Modules that start a process, a thread, a server or a browser. */
const starting =
  /^(?:node:(?:child_process|worker_threads|https?|net)|playwright-core)$|(?:adapters\/threads\/(?:thread|pool)|faces\/app\/(?:server|sandbox))\.ts$/;

/**
 * Files of tests, those that are quick apart: a test is slow where its file, or one beside `src` that this imports,
 * imports what starts a process, a thread, a server or a browser.
 */
export function filesBySpeed(): { readonly unit: string[]; readonly system: string[] } {
  const known = new Map<string, boolean>();
  const files = globSync("test/**/*.test.ts");
  return {
    unit: files.filter((file) => !isSlow(file, known)),
    system: files.filter((file) => isSlow(file, known)),
  };
}

function isSlow(file: string, known: Map<string, boolean>): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  // Files that import each other do not make each other slow.
  known.set(file, false);
  // A type starts nothing.
  const text = readFileSync(file, "utf8").replaceAll(/^import type [^;]*;/gm, "");
  const imports = [...text.matchAll(/\b(?:from |import\()"([^"]+)"/g)].map(([, to = ""]) => to);
  const beside = imports
    .filter((to) => to.startsWith("."))
    .map((to) => join(file, "..", to))
    .filter((path) => !path.startsWith("src") && existsSync(path));
  const slow = imports.some((to) => starting.test(to)) || beside.some((path) => isSlow(path, known));
  known.set(file, slow);
  return slow;
}
