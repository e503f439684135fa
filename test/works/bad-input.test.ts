import { describe, expect, test } from "vitest";
import { createRegistries, type RegistryAnswer } from "../../src/works/registries.ts";
import { citedWorksOf } from "../../src/works/split.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { type Kept, registryOf } from "./registry.ts";
import { verify } from "./verify.ts";

/** Entries and answers that nobody would write on purpose: the verdict is right, or there is none. */

const crowd = Array.from({ length: 3_000 }, (_, i) => `Gull${i}, A.`);
const works: readonly Kept[] = [
  { title: "Long flights of small kites", authors: ["Osprey, Ash"], year: 2018, venue: "Ibis", doi: "10.5555/kite.1" },
  {
    title: "Knots that hold wet lines",
    authors: ["Moorhen, Common"],
    year: 2015,
    venue: "Ibis",
    doi: "10.5555/kite.2",
  },
  { title: "Observation of a kite at high energy", authors: crowd, year: 2012, venue: "Ibis", doi: "10.5555/kite.3" },
  { title: "Kites", authors: ["Anonymous"], year: 1999, venue: "Ibis", doi: "10.5555/kite.4" },
  { title: "On odd marks", authors: ["Siskin, E."], year: 2001, venue: "Ibis", doi: "10.5555/(sici)1#<a>2[3];4:5_6%7" },
];
const ask = registryOf(works, ["Ibis"]);

async function verdicts(path: string, text: string, answer = ask) {
  const cited = citedWorksOf(path, text);
  return await verify(cited, createRegistries(answer), Date.UTC(2026, 10, 26));
}
const findings = async (path: string, text: string, answer = ask) =>
  (await verdicts(path, text, answer)).map(({ finding }) => finding);

const bib = (fields: string, key = "k") => `@article{${key}, ${fields}}\n`;
const right = "title = {Long flights of small kites}, author = {Osprey, Ash}, year = {2018}, doi = {10.5555/kite.1}";
const wrong = "title = {Long flights of small kites}, author = {Osprey, Ash}, year = {2018}, doi = {10.5555/kite.2}";

describe("an entry", () => {
  test("with an unclosed brace spoils no other one", async () => {
    const text = `${bib(right, "a")}@article{b, title = {Knots that {hold, year = {2015}\n\n${bib(right, "c")}${bib(wrong, "d")}`;
    const said = await findings("a.bib", text);
    expect(said[0]).toBe("ok");
    expect(said.at(-1)).toBe("other-work");
    expect(said.filter((one) => !["ok", "unknown", "other-work"].includes(one))).toEqual([]);
  });

  test("of the same key as another is judged by itself", async () => {
    expect(await findings("a.bib", bib(right) + bib(wrong))).toEqual(["ok", "other-work"]);
  });

  test("with every mark that a DOI may have", async () => {
    const entry =
      "Siskin, E. (2001). On odd marks. *Ibis*. https://doi.org/10.5555/(sici)1%23%3Ca%3E2%5B3%5D%3B4%3A5_6%257";
    expect(await findings("a.md", `- ${entry}\n`)).toEqual(["ok"]);
    expect(
      await findings(
        "a.bib",
        bib("title = {On odd marks}, author = {Siskin, E.}, year = 2001, doi = {10.5555/(sici)1#<a>2[3];4:5\\_6%7}"),
      ),
    ).toEqual(["ok"]);
  });

  test("with a title of one word, by Anonymous, or with three thousand authors", async () => {
    expect(
      await findings("a.bib", bib("title = {Kites}, author = {Anonymous}, year = 1999, doi = {10.5555/kite.4}")),
    ).toEqual(["ok"]);
    expect(
      await findings("a.bib", bib("title = {Kites}, author = {Heron, G.}, journal = {Ibis}, year = 2009")),
    ).toEqual(["unknown"]);
    expect(await findings("a.md", "- Anonymous. Kites. 1871.\n")).toEqual(["unknown"]);
    const begun = processorTime();
    const all = `title = {Observation of a kite at high energy}, author = {${crowd.join(" and ")}}, year = 2012, doi = {10.5555/kite.3}`;
    expect(await findings("a.bib", bib(all))).toEqual(["ok"]);
    const one =
      "title = {Observation of a kite at high energy}, author = {Gull2999, A. and others}, year = 2012, doi = {10.5555/kite.3}";
    expect((await findings("a.bib", bib(one)))[0]).toMatch(/ok|unknown/);
    expectTime(processorTime() - begun, 2_000);
  });

  test("of 50 KB, and ten thousand of them", async () => {
    const begun = processorTime();
    const long = `- Osprey, A. (2018). Long flights of small kites. *Ibis*. ${"And so on, ".repeat(5_000)}https://doi.org/10.5555/kite.1\n`;
    expect((await findings("a.md", long)).every((one) => /ok|unknown/.test(one))).toBe(true);
    const names = `- ${"Osprey, A., ".repeat(4_000)}(2018). Long flights of small kites. *Ibis*.\n`;
    expect((await findings("a.md", names)).every((one) => /ok|unknown/.test(one))).toBe(true);
    expect(citedWorksOf("a.bib", Array.from({ length: 10_000 }, (_, i) => bib(right, `k${i}`)).join(""))).toHaveLength(
      10_000,
    );
    expectTime(processorTime() - begun, 20_000);
  });
});

describe("a service", () => {
  const entry = `${bib(right)}${bib("title = {A paper about kites that nobody wrote}, author = {Heron, G.}, journal = {Ibis}, year = 2010")}`;
  const answers: Readonly<Record<string, (url: string) => RegistryAnswer>> = {
    HTML: () => ({ status: 200, body: "<!doctype html><title>Sorry</title>" }),
    "an error with status 200": () => ({ status: 200, body: '{"status":"failed","message":[{"type":"error"}]}' }),
    "an endless list": () => ({
      status: 200,
      body: JSON.stringify({
        message: { items: Array.from({ length: 20_000 }, () => ({ DOI: "10.1/x", title: ["Kites"] })) },
      }),
    }),
    "a list of something else": () => ({ status: 200, body: '{"message":{"items":[1,null,"x",{}]},"results":[[]]}' }),
    nothing: () => ({ status: 0, body: "" }),
    "a limit": () => ({ status: 429, body: "slow down" }),
  };
  test.each(Object.entries(answers))("that answers with %s accuses nobody", async (_, answer) => {
    const begun = processorTime();
    expect((await findings("a.bib", entry, async (url) => answer(url))).every((one) => /ok|unknown/.test(one))).toBe(
      true,
    );
    expectTime(processorTime() - begun, 2_000);
  });

  test("that lists more works than it was asked for has only so many of them read, or none", async () => {
    const items = Array.from({ length: 60 }, (_, i) => ({ DOI: `10.1/${i}`, title: ["Kites"] }));
    const body = JSON.stringify({ message: { items }, results: items.map((_, i) => ({ title: `Kites ${i}` })) });
    const registries = createRegistries(async () => ({ status: 200, body }));
    expect(await registries.searchOpenalex("kites")).toHaveLength(50);
    expect(await registries.searchCrossref("kites")).toBe("unsure");
  });

  test("that has another work for a DOI is believed, if its title and its authors are others", async () => {
    const [verdict] = await verdicts("a.bib", bib(wrong));
    expect(verdict).toMatchObject({ finding: "other-work", proposed: "10.5555/kite.1" });
  });

  test("that lists only some of the preprints that it was asked for says nothing of the others", async () => {
    const preprint: Kept = { title: "Long kites", authors: ["Osprey, Ash"], year: 2017, arxiv: "1706.00001" };
    const full = registryOf([preprint], []);
    const text = "- Osprey, A. (2017). Long kites. arXiv:1706.00001\n";
    const empty = { status: 200, body: "<feed></feed>" };
    expect(
      await findings("a.md", text, async (url) => (url.includes("export.arxiv") ? empty : await full(url))),
    ).toEqual(["ok"]);
    const error = {
      status: 200,
      body: "<feed><entry><id>http://arxiv.org/api/errors#x</id><title>Error</title></entry></feed>",
    };
    expect(
      await findings("a.md", text, async (url) => (url.includes("export.arxiv") ? error : await full(url))),
    ).toEqual(["unknown"]);
  });
});
