import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import type { AnswerMemory } from "../../src/model/ports/index.ts";
import { aDay, type Instant } from "../../src/model/time.ts";
import { type Ask, createRegistries } from "../../src/works/registries.ts";
import { withAnswerMemory } from "../../src/works/remembered.ts";
import { citedWorksOf } from "../../src/works/split.ts";
import { type Kept, registryOf } from "./registry.ts";
import { verify } from "./verify.ts";

/** A second run over the same bibliography, with what the first one was answered. */

const works: readonly Kept[] = [
  { title: "Long flights of small kites", authors: ["Vilnia, Ash"], year: 2018, venue: "Lift", doi: "10.5555/kite.1" },
  { title: "Knots that hold wet lines", authors: ["Drava, Ida"], year: 2015, venue: "Lift", doi: "10.5555/kite.2" },
  { title: "Steering a kite by its noise", authors: ["Narew, Ute"], year: 2017, venue: "Lift" },
  { title: "Sails of woven paper", authors: ["Warta, Eli"], year: 2017, arxiv: "1706.00001" },
];
const bib = `@article{a, title = {Long flights of small kites}, author = {Vilnia, Ash}, year = 2018, doi = {10.5555/kite.1}}
@article{b, title = {Long flights of small kites}, author = {Vilnia, Ash}, year = 2018, doi = {10.5555/kite.2}}
@article{c, title = {Steering a kite by its noise}, author = {Narew, Ute}, journal = {Lift}, year = 2017}
@article{d, title = {Untying a knot in fog with one hand}, author = {Narew, Ute}, journal = {Lift}, year = 2017, doi = {10.5555/kite.404}}
@article{e, title = {Sails of woven paper}, author = {Warta, Eli}, eprint = {1706.00001}, archivePrefix = {arXiv}, year = 2017}
`;
const registry = registryOf(works, ["Lift"]);
const begin: Instant = Date.UTC(2026, 10, 26);

async function run(memory: AnswerMemory, at: Instant, answer: Ask = registry, text = bib) {
  const asked: string[] = [];
  const ages: number[] = [];
  const registries = createRegistries(async (url) => {
    asked.push(new URL(url).host);
    return await answer(url);
  });
  const verdicts = await verify(
    citedWorksOf("a.bib", text),
    withAnswerMemory(registries, memory, at, (read) => ages.push((at - read) / aDay)),
    at,
  );
  return { asked, ages, findings: verdicts.map(({ finding }) => finding), verdicts };
}

const right = ["ok", "other-work", "ok", "not-found", "ok"];

test("a second run asks nothing, says the same, and knows how old its answers are", async () => {
  const { answers, close } = await openStore(":memory:");
  const first = await run(answers, begin);
  expect(first.findings).toEqual(right);
  expect(first.asked.length).toBeGreaterThan(5);
  const again = await run(answers, begin + aDay / 2);
  expect(again.asked).toEqual([]);
  expect(again.verdicts).toEqual(first.verdicts);
  expect(new Set(again.ages)).toEqual(new Set([0.5]));
  await close();
});

test("a missing work is asked for again after a day, the rest after a week", async () => {
  const { answers, close } = await openStore(":memory:");
  await run(answers, begin);
  const later = await run(answers, begin + 2 * aDay);
  expect(later.findings).toEqual(right);
  expect(later.asked).toContain("doi.org");
  expect(later.asked.length).toBeLessThan((await run(answers, begin + 8 * aDay)).asked.length);
  await close();
});

test("a service that failed is asked again, and a run that ended early is continued", async () => {
  const { answers, close } = await openStore(":memory:");
  const failed = await run(answers, begin, async () => ({ status: 503, body: "" }));
  expect(new Set(failed.findings)).toEqual(new Set(["unknown"]));
  let left = 3;
  const early = await run(answers, begin, async (url) => (left-- > 0 ? await registry(url) : { status: 0, body: "" }));
  expect(early.findings).toContain("unknown");
  const rest = await run(answers, begin);
  expect(rest.findings).toEqual(right);
  expect(rest.ages.length).toBeGreaterThan(0);
  const another = `${bib}@article{f, title = {Knots that hold wet lines}, author = {Drava, Ida}, year = 2015, doi = {10.5555/kite.2}}\n`;
  expect((await run(answers, begin, registry, another)).asked).toEqual([]);
  await close();
});
