import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { parseConfig } from "../../../../src/config/index.ts";
import { formatProblem } from "../../../../src/config/problems.ts";
import { readers } from "../../../../src/read/index.ts";
import { tryScenarios } from "../../../../src/watch/replay/scenario.ts";

const read = (path: string) => ({ path, text: readFileSync(path, "utf8") });
const names = readdirSync("scenarios").sort();
const { config } = parseConfig(
  ["sources.yaml", ...readdirSync("triggers").map((name) => `triggers/${name}`)].map(read),
  readers,
);

async function tried(files: readonly { path: string; text: string }[]) {
  if (!config) throw new Error("the shipped config does not hold");
  const { played, problems } = await tryScenarios(files, config, readers, async () => {
    const database = await openStore(":memory:");
    return { store: database.repository("scenario"), close: () => database.close() };
  });
  return { played, problems: problems.map(formatProblem) };
}

describe("the shipped scenarios", () => {
  it("are one file for each shipped trigger", () => {
    expect(names).toEqual(readdirSync("triggers").sort());
  });

  it.each(names)("%s holds", async (name) => {
    const { played, problems } = await tried([read(`scenarios/${name}`)]);
    expect(problems).toEqual([]);
    expect(played).toBeGreaterThanOrEqual(7);
  });

  it.each(names)("%s would fail if its trigger fired nothing more, or anything else", async (name) => {
    const { text } = read(`scenarios/${name}`);
    const expectations = text.match(/^ {6}- \{ on: .*$/gm) ?? [];
    expect(expectations.length).toBeGreaterThan(3);
    const emptied = text.replace(/^ {4}expect:\n(?: {6}- .*\n)+/gm, "    expect: []\n");
    const { problems } = await tried([{ path: `scenarios/${name}`, text: emptied }]);
    expect(problems).toHaveLength(expectations.length);
    for (const problem of problems) expect(problem).toMatch(/^scenarios\/[\w-]+\.yaml:\d+:\d+ {2}".*": not expected: /);
  });
});
