import { expect, test } from "vitest";
import { withoutExcluded } from "../../src/audit/audit.ts";
import { citationsOf } from "../../src/audit/cited.ts";
import { checkWorks, withWorks, workFinder, worksIn, worksLeft } from "../../src/audit/works.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Fetch } from "../../src/model/ports/index.ts";

/** Registries that know nothing but some identifiers. */
function registriesOf(known: readonly string[]): Fetch {
  return {
    async get({ url }, { answers = [] }) {
      const isHandle = url.startsWith("https://doi.org/api/handles/");
      const isKnown = known.some((doi) => url.endsWith(encodeURIComponent(doi)));
      const isSearch = /[?&](?:query|filter)/.test(url);
      if (!isHandle && !isSearch) throw new Failure("not-found", { status: 404 });
      if (isHandle && !isKnown && !answers.includes(404)) throw new Failure("not-found", { status: 404 });
      const items = [{ DOI: "10.5555/other", title: ["Something else entirely"] }];
      const answer = isHandle ? { responseCode: isKnown ? 1 : 100 } : { message: { items }, results: [] };
      const body = new TextEncoder().encode(JSON.stringify(answer));
      const status = isHandle && !isKnown ? 404 : 200;
      return { kind: "response", response: { url, status, headers: {}, body }, validators: {}, hash: "" };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}
const entriesOf = (count: number) => {
  const entries = Array.from(
    { length: count },
    (_, i) =>
      `@article{k${i}, title = {Slow echoes of wet sand over coast ${i}}, author = {Narew, Ute}, year = {2017}, doi = {10.5555/wave.${i}}}\n`,
  );
  return worksIn([{ path: "refs.bib", text: entries.join("") }]);
};
const checkOf = (count: number, fetch: Fetch) =>
  checkWorks(entriesOf(count), { fetch }, Date.UTC(2026, 10, 26), {
    minutes: 10,
    stop: async () => {},
    onChecked: () => {},
  });

test("a service that knows none of many works, nor a DOI that must exist, is no registry", async () => {
  const check = await checkOf(6, registriesOf([]));
  expect(new Set(check.checked.map(({ verdict }) => verdict.finding))).toEqual(new Set(["unknown"]));
  expect(worksLeft(check, false)).toEqual([
    "6 works were not checked: the registries know none of them, and doi.org not even the DOI of its own handbook. Something else may answer in their place: a proxy, or a copy for tests.",
  ]);
});

test("a list of invented works is called so, as long as it is the registry that does not know them", async () => {
  for (const [count, known] of [
    [6, ["10.1000/182"]],
    [4, []],
  ] as const) {
    const { checked } = await checkOf(count, registriesOf(known));
    expect(new Set(checked.map(({ verdict }) => verdict.finding))).toEqual(new Set(["not-found"]));
  }
});

test.each([
  "Lawrence Hargrave, “Slow echoes of wet sand,” *Marine Geology* 4, no. 2 (1993): 5–9.",
  "See Lawrence Hargrave et al., “Slow echoes of wet sand,” *Marine Geology* 4, no. 2 (1993): 5–9.",
  "Vgl. Hargrave, Lawrence/Narew, Ute: Slow echoes of wet sand, in: Marine Geology, Jg. 4, H. 2, 1993, S. 5–9, hier S. 6.",
  "Vgl. Hargrave, Lawrence B.: Slow echoes of wet sand, in: Marine Geology, Jg. 4, 1993, S. 5–9.",
  "Voir Lawrence Hargrave et Ute Narew, « Slow echoes of wet sand », *Marine Geology*, vol. 4, 1993, p. 5-9.",
])("a footnote is an entry: %s", (note) => {
  const [work] = worksIn([{ path: "essay.md", text: `It is said.[^1]\n\n[^1]: ${note}\n` }]);
  expect(work).toMatchObject({ isEntry: true, title: "Slow echoes of wet sand", venue: "Marine Geology" });
});

test.each([
  [
    '- Waves: "Slow echoes of wet sand". Lawrence Hargrave et al. Marine Geology 1993. [Paper](https://doi.org/10.5555/1)',
    true,
  ],
  ["- In 1993 L. Hargrave was heard: “Slow echoes of wet sand,” *Marine Geology*, https://doi.org/10.5555/1", false],
])("an entry with the names behind its title is compared, a sentence is not: %s", (text, isEntry) => {
  expect(worksIn([{ path: "list.md", text }])).toMatchObject([{ isEntry, doi: "10.5555/1" }]);
});

test("a finding about a work has its title, and a corrected venue replaces an abbreviation with its full stop", () => {
  const text =
    "# Waves\n\n## References\n\nNAREW, Ute; WARTA, Ida. Slow echoes of wet sand. *J. Wet. Sci.*, v. 2, 1993. https://doi.org/10.5555/1\n";
  const files = [{ path: "a.md", text }];
  const correction = { part: "venue", text: "Marine Geology" } as const;
  const checked = worksIn(files).map((work) => ({
    work,
    verdict: { finding: "differs", evidence: "", correction, proposed: "10.5555/1" } as const,
  }));
  const [finding] = withWorks([], checked, citationsOf(files).cited, files);
  expect(finding?.cited.title).toBe("Slow echoes of wet sand");
  expect(finding?.edits?.[0]?.after).toContain("*Marine Geology*, v. 2");
});

test("one run makes 5,000 requests of registries at most, and says how far it came", async () => {
  const bib = Array.from(
    { length: 10_000 },
    (_, i) => `@article{k${i}, title = {Slow echoes of wet sand ${i}}, author = {Narew, Ute}, year = {2017}}\n`,
  ).join("");
  const works = worksIn([{ path: "refs.bib", text: bib }]);
  expect(works).toHaveLength(10_000);
  let requests = 0;
  const fetch: Fetch = {
    async get({ url }) {
      requests++;
      const body = new TextEncoder().encode(JSON.stringify({ message: { items: [] }, results: [] }));
      const response = { url, status: 200, headers: {}, body, at: 0 };
      return { kind: "response", response, validators: {}, hash: "" };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
  const answers = { answers: async () => [], saveAnswers: async () => {} };
  const time = { minutes: 10, stop: async () => {}, onChecked: () => {} };
  const check = await checkWorks(works, { fetch, answers }, Date.UTC(2026, 10, 26), time);
  expect(requests).toBe(5_000);
  expect(worksLeft(check, false)).toEqual([
    "Registries were asked about 0 of 10,000 works; the next run asks about the rest.",
  ]);
});

test("an address on the line of a work that only a sentence names is no citation of that work", () => {
  const text = "Waves break [here](https://sand.example.org/a), as https://doi.org/10.5555/wave.1 says.\n";
  const files = [{ path: "report.md", text: `# Waves\n\n${text}` }];
  const find = workFinder(worksIn(files));
  expect(citationsOf(files).cited.map((one) => [new URL(one.address).host, find(one).length])).toEqual([
    ["sand.example.org", 0],
    ["doi.org", 1],
  ]);
});

test("an excluded address of PubMed leaves out the works with that number", () => {
  const works = worksIn([{ path: "a.md", text: "- Slow echoes, PMID: 1234567\n- Wet sand, PMID: 7654321\n" }]);
  const { works: left } = withoutExcluded({ ...citationsOf([]), works }, [
    { prefix: "https://pubmed.ncbi.nlm.nih.gov/1234567" },
  ]);
  expect(left.map(({ pmid }) => pmid)).toEqual(["7654321"]);
});
