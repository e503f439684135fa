import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createRegistries } from "../../src/works/registries.ts";
import { citedWorksOf } from "../../src/works/split.ts";
import { type Kept, registryOf } from "./registry.ts";
import { verify } from "./verify.ts";

const all = parse(readFileSync(join(import.meta.dirname, "right.yaml"), "utf8")) as (Kept & {
  readonly cited: readonly string[];
})[];
const works = all.filter(({ title }) => title !== undefined);
const journals = ["Nature", "Ibis", "Auk", "Journal of Hydrology", "Marshes", "Artificial Intelligence"];
const entries = all.flatMap(({ cited }) => cited);

const pathOf = (entry: string) => (entry.startsWith("@") ? "a.bib" : entry.startsWith("TY") ? "a.ris" : "a.md");

test.each(entries)("is not accused: %s", async (entry) => {
  const cited = citedWorksOf(pathOf(entry), entry);
  const verdicts = await verify(cited, createRegistries(registryOf(works, journals)), Date.UTC(2026, 10, 26));
  expect(verdicts.filter(({ finding }) => !/^(?:ok|unknown)$/.test(finding))).toEqual([]);
});

test("there are enough of them", () => {
  expect(entries.length).toBeGreaterThanOrEqual(60);
});
