import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { aDay } from "../../src/model/time.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the program as it is published. */
    readonly built: string;
  }
}

const root = join(import.meta.dirname, "../..");

/** Started often, by tests: the program in a way of their own, and the measures. */
const children = [
  "test/resilience/scan.child.ts",
  "test/faces/cli/commands.child.ts",
  "bench/replay.ts",
  "bench/noise.ts",
];

/** Before the tests that start processes: builds what they start, once for each state of the sources. */
export default function setup(project: TestProject): void {
  const all = join(root, "node_modules/.cache/recheck-built");
  const built = join(all, digestOfSources());
  if (!existsSync(built)) build(all, built);
  const now = new Date();
  utimesSync(built, now, now);
  for (const other of readdirSync(all).map((name) => join(all, name))) {
    // Another run may still be using it.
    if (now.getTime() - statSync(other).mtimeMs > aDay) rmSync(other, { recursive: true, force: true });
  }
  project.provide("built", built);
}

function digestOfSources(): string {
  const digest = createHash("sha256");
  const files = [
    "package.json",
    "package-lock.json",
    "scripts/build.ts",
    ...[...children, "test/resilience/hasty.ts"],
    ...globSync(["src/**/*.{ts,json}", "bench/*.ts"], { cwd: root }).sort(),
  ];
  for (const file of files) digest.update(`${file}\n`).update(readFileSync(join(root, file)));
  return digest.digest("hex").slice(0, 16);
}

/** Under its name it is whole: two runs may begin at once. */
function build(all: string, built: string): void {
  mkdirSync(all, { recursive: true });
  const making = mkdtempSync(`${built}-`);
  execFileSync(process.execPath, [join(root, "scripts/build.ts"), "--out", join(making, "dist"), ...children]);
  try {
    renameSync(making, built);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(built)) throw error;
  }
}
