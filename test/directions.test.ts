import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Rooms from the words to the doors: a file imports its own room and those on earlier lines, types included. */
const order = [
  ["model"],
  ["language"],
  ["read", "compare"],
  ["report", "adapters"],
  ["config"],
  ["claims", "works"],
  ["recheck"],
  ["watch"],
  ["audit"],
  ["onboard"],
  ["status"],
  ["publish"],
  ["wire"],
  ["faces"],
];
const floorOf = (room: string) => order.findIndex((rooms) => rooms.includes(room));

const world =
  /^(node:(fs|http|https|net|dns|tls|child_process|sqlite|os|dgram|worker_threads)|undici|octokit|probot|kysely|node-cron|pino)/;

/** Every import of every file of `src`, as paths from there: `watch/check.ts` → `compare/index.ts`; packages by their names. */
const files = globSync("src/**/*.ts").map((file) => relative("src", file));
const arrows = files.flatMap((file) =>
  [...readFileSync(join("src", file), "utf8").matchAll(/(?:\bfrom |\bimport\(|^import )"([^"]+)"/gm)].map(
    ([, to = ""]) => ({
      from: file,
      to: to.startsWith(".") ? join(file, "..", to) : to,
    }),
  ),
);
const roomOf = (file: string) => file.split("/")[0] ?? "";
const said = (found: typeof arrows) => found.map(({ from, to }) => `${from} → ${to}`);

describe("directions", () => {
  test("every file is in a room", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(arrows).toContainEqual({ from: "watch/judge.ts", to: "compare/index.ts" });
    expect(files.filter((file) => floorOf(roomOf(file)) < 0)).toEqual([]);
  });

  test("imports run one way, types included", () => {
    const against = arrows.filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      return files.includes(to) && here !== there && floorOf(there) >= floorOf(here);
    });
    expect(said(against)).toEqual([]);
  });

  test("no file needs itself before it is loaded, because the bundle could not order such files", () => {
    const needs = new Map(
      files.map((file) => {
        const text = readFileSync(join("src", file), "utf8");
        const values = text.matchAll(/^import (?!type )(?!\{(?:\s*type \w+(?: as \w+)?,?)+\s*\})[^;"]*"(\.[^"]+)";/gm);
        return [file, [...values].map(([, to = ""]) => join(file, "..", to))];
      }),
    );
    const isLoaded = new Set<string>();
    const circles: string[] = [];
    const load = (file: string, before: readonly string[]): void => {
      if (before.includes(file)) circles.push([...before.slice(before.indexOf(file)), file].join(" → "));
      if (before.includes(file) || isLoaded.has(file)) return;
      for (const next of needs.get(file) ?? []) load(next, [...before, file]);
      isLoaded.add(file);
    };
    for (const file of files) load(file, []);
    expect(circles).toEqual([]);
  });

  test("only model/ports/index.ts passes on exports of other files; all else is imported from its own file", () => {
    const passing = files.filter((file) =>
      /^export (?:type )?(?:\{[^}]*\}|\*)/m.test(readFileSync(join("src", file), "utf8")),
    );
    expect(passing).toEqual(["model/ports/index.ts"]);
    const around = arrows.filter(({ from, to }) => to.startsWith("model/ports/") && !from.startsWith("model/ports/"));
    expect(said(around.filter(({ to }) => to !== "model/ports/index.ts"))).toEqual([]);
  });

  test("only adapters, faces and wire know the world", () => {
    const rooms = ["adapters", "faces", "wire"];
    expect(said(arrows.filter(({ from, to }) => world.test(to) && !rooms.includes(roomOf(from))))).toEqual([]);
  });

  test("no door imports from behind another one; only the command that starts the server opens it", () => {
    const doorOf = (file: string) => /^faces\/(app|cli)\//.exec(file)?.[1];
    const within = arrows.filter(({ to }) => doorOf(to) !== undefined && files.includes(to));
    expect(said(within.filter(({ from, to }) => doorOf(from) !== doorOf(to)))).toEqual([
      "faces/cli/start.ts → faces/app/server.ts",
    ]);
  });

  test("no door parses a proposal itself: threads with limits do", () => {
    const parses = /\b(?:citationsOf|worksIn|changedSentences|findingsOfChange|statedIn)\(/;
    const doors = files.filter((file) => /^(?:faces|wire)\//.test(file));
    expect(doors.filter((file) => parses.test(readFileSync(join("src", file), "utf8")))).toEqual([]);
  });

  test("a reader imports no other reader", () => {
    const readers = files.filter((file) =>
      /export const \w+ = readerOf\(/.test(readFileSync(join("src", file), "utf8")),
    );
    expect(readers.length).toBeGreaterThan(10);
    expect(said(arrows.filter(({ from, to }) => readers.includes(from) && readers.includes(to)))).toEqual([]);
  });

  test("a command that checks pages begins without what compares them, and writes reports, issues and messages", () => {
    const loaded = new Set(["faces/cli/scan.ts", "wire/program.ts", "wire/web.ts", "read/index.ts"]);
    for (const file of loaded) {
      if (!files.includes(file)) continue;
      for (const [, to = ""] of readFileSync(join("src", file), "utf8").matchAll(/^import (?!type )[^;"]*"([^"]+)";/gm))
        loaded.add(to.startsWith(".") ? join(file, "..", to) : to);
    }
    expect(loaded).toContain("re2js");
    const late =
      /^(?:cheerio|yaml|undici)\b|^(?:report\/parse|config\/edit|recheck\/sync|status\/messages|compare\/page|claims\/prove)\b/;
    expect([...loaded].filter((one) => late.test(one))).toEqual([]);
  });

  /** Packages that the project is built on, and the folder whose files use each. */
  test.each([
    ...["probot", "octokit", "cheerio", "rss-parser", "node-cron", "zod", "pino"].map((name) => [name, "src"]),
    ["vitest", "test"],
  ])("%s is imported as a value somewhere in %s", (name, folder) => {
    const lines = globSync(`${folder}/**/*.ts`).flatMap((file) => readFileSync(file, "utf8").split("\n"));
    const isOf = new RegExp(`^import (?!type ).* from "${name}(?:/[\\w-]+)?";$|\\bimport\\("${name}"\\)`);
    expect(lines.filter((line) => isOf.test(line)).length).toBeGreaterThan(0);
  });
});
