import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Every import of every file in src, as paths from src: `check.ts` → `compare/index.ts`; packages as they are named. */
const files = globSync("src/**/*.ts").map((file) => relative("src", file));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): { to: string; typeOnly: boolean }[] {
  const text = readFileSync(join("src", file), "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)";/gm);
  return [...found].map(([, type, to = ""]) => ({
    to: to.startsWith(".") ? relative("src", join("src", dirname(file), to)) : to,
    typeOnly: type !== undefined,
  }));
}

const place = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");
const isCore = (file: string) => !["adapters", "faces"].includes(place(file)) && file !== "wire.ts";

function offences(
  from: (file: string) => boolean,
  to: (to: string, from: string, typeOnly: boolean) => boolean,
): string[] {
  return files
    .filter(from)
    .flatMap((file) =>
      (imports.get(file) ?? []).filter((one) => to(one.to, file, one.typeOnly)).map((one) => `${file} → ${one.to}`),
    );
}

const worldly =
  /^(node:(fs|http|https|net|dns|tls|child_process|sqlite|os|dgram|worker_threads)|undici|octokit|probot|kysely|node-cron|pino)/;
const steps = ["read", "compare", "evaluate", "recheck"];

describe("directions", () => {
  test("there is something to look at", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.get("check.ts")?.map(({ to }) => to)).toContain("compare/index.ts");
  });

  test("the core imports no adapter, no face and no I/O module", () => {
    expect(
      offences(isCore, (to) => ["adapters", "faces"].includes(place(to)) || to === "wire.ts" || worldly.test(to)),
    ).toEqual([]);
  });

  test("a step imports no other step; check.ts and scan.ts string them together", () => {
    const step = (file: string) => steps.includes(place(file));
    expect(offences(step, (to, from) => step(to) && place(to) !== place(from) && !nouns.has(to))).toEqual([]);
  });

  test("a reader imports no other reader", () => {
    const reader = (file: string) => place(file) === "read" && readers.has(file);
    expect(readers.size).toBeGreaterThan(10);
    expect(offences(reader, (to) => readers.has(to))).toEqual([]);
  });

  test("config imports only nouns and the registry", () => {
    const allowed = (to: string) => place(to) === "config" || place(to) === "read" || isNoun(to) || !to.endsWith(".ts");
    expect(
      offences(
        (file) => place(file) === "config",
        (to) => !allowed(to),
      ),
    ).toEqual([]);
  });

  test("an adapter imports nouns, ports and itself", () => {
    const own = (to: string, from: string) =>
      to.split("/").slice(0, 2).join("/") === from.split("/").slice(0, 2).join("/");
    const adapter = (file: string) => place(file) === "adapters";
    const fine = (to: string, from: string) =>
      own(to, from) || isNoun(to) || to === "read/reader.ts" || !to.endsWith(".ts");
    expect(offences(adapter, (to, from) => !fine(to, from))).toEqual([]);
  });

  test("wire.ts imports no face", () => {
    expect(
      offences(
        (file) => file === "wire.ts",
        (to) => place(to) === "faces",
      ),
    ).toEqual([]);
  });

  test("there is no cycle", () => {
    expect(cycles()).toEqual([]);
  });

  test("no file is called by what it is made of", () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|types|common|misc)(\.ts|\/)/.test(file))).toEqual([]);
  });
});

/** Files that hold words and pure rules on them, and do no step's work. */
const rootNouns = [
  "model",
  "failure",
  "ports",
  "digest",
  "pattern",
  "keyed",
  "askers",
  "version",
  "describe",
  "schedule",
  "freshness",
  "link",
  "watch",
  "status",
];
function isNoun(to: string): boolean {
  return rootNouns.some((noun) => to === `${noun}.ts`) || ["passage", "version", "ports"].includes(place(to));
}
/** What other steps may know of a step: its contract, and the names of what it makes. */
const nouns = new Set(["read/reader.ts"]);

const readers = new Set(
  files.filter(
    (file) => place(file) === "read" && /export const \w+: Reader\b/.test(readFileSync(join("src", file), "utf8")),
  ),
);

function cycles(): string[] {
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    state.set(file, "open");
    for (const { to, typeOnly } of imports.get(file) ?? [])
      if (!typeOnly && imports.has(to)) visit(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of files) visit(file, []);
  return found;
}
