import { describe, expect, test } from "vitest";
import { createRegistries, type RegistryAnswer } from "../../src/works/registries.ts";
import { partsOf } from "../../src/works/search.ts";
import { citedWorksOf } from "../../src/works/split.ts";
import { isSameVenue } from "../../src/works/venues.ts";
import { verify } from "./verify.ts";

const nextflow = {
  DOI: "10.1038/nbt.3820",
  type: "journal-article",
  title: ["Nextflow enables reproducible computational workflows"],
  author: [
    { family: "Di Tommaso", given: "Paolo" },
    { family: "Chatzou", given: "Maria" },
    { family: "Floden", given: "Evan W" },
  ],
  "container-title": ["Nature Biotechnology"],
  "short-container-title": ["Nat Biotechnol"],
  volume: "35",
  page: "316-319",
  issued: { "date-parts": [[2017, 4, 11]] },
};
const samtools = {
  DOI: "10.1093/bioinformatics/btp352",
  type: "journal-article",
  title: ["The Sequence Alignment/Map format and SAMtools"],
  author: [
    { family: "Li", given: "H." },
    { family: "Handsaker", given: "B." },
  ],
  "container-title": ["Bioinformatics"],
  issued: { "date-parts": [[2009]] },
};
const engines = { ...nextflow, DOI: "10.1038/nbt.3821", title: ["Nextflow engines"], volume: "36" };
const works = [nextflow, samtools, engines];

const json = (body: unknown): RegistryAnswer => ({ status: 200, body: JSON.stringify(body) });
const missing: RegistryAnswer = { status: 404, body: "{}" };

/** Registries that know three works; a search always finds all. */
function answer(url: string, changed: Partial<typeof nextflow> & Record<string, unknown> = {}): RegistryAnswer {
  const { hostname, pathname, searchParams } = new URL(url);
  const all = works.map((work) => (work === nextflow ? { ...work, ...changed } : work));
  if (hostname === "api.crossref.org" && pathname.startsWith("/v1/works/")) {
    const doi = decodeURIComponent(pathname.slice(10));
    const work = all.find((one) => one.DOI === doi);
    return work ? json({ message: work }) : missing;
  }
  if (hostname === "api.crossref.org" && pathname === "/journals") {
    return json({
      message: {
        items: ["Bioinformatics", "Journal of Workflow Engines (JWE)"]
          .filter((name) =>
            searchParams
              .get("query")
              ?.split(" ")
              .every((word) => name.includes(word)),
          )
          .map((title) => ({ title })),
      },
    });
  }
  if (hostname === "api.crossref.org") return json({ message: { items: all } });
  if (hostname === "api.openalex.org" && pathname === "/sources")
    return json({
      results: [{ display_name: "Kiln Letters", abbreviated_title: "Kiln Lett.", alternate_titles: null }],
    });
  if (hostname === "api.openalex.org") return json({ results: [] });
  if (hostname === "doi.org") return { status: 404, body: '{"responseCode":100}' };
  return missing;
}

async function findings(text: string, ask: (url: string) => RegistryAnswer = answer) {
  const registries = createRegistries(async (url) => ask(url));
  return await verify(citedWorksOf("a.md", text), registries, Date.UTC(2026, 10, 26));
}

const authors = "Di Tommaso, P., & Chatzou, M.";
const title = "Nextflow enables reproducible computational workflows";

describe("a right citation is not accused", () => {
  test.each([
    [
      "as it is registered",
      `- ${authors} (2017). ${title}. *Nature Biotechnology*, 35(4), 316-319. https://doi.org/10.1038/nbt.3820`,
    ],
    ["without its DOI", `- ${authors} (2017). ${title}. *Nature Biotechnology*.`],
    ["with an abbreviated venue", `- ${authors} (2017). ${title}. *Nat Biotechnol*. https://doi.org/10.1038/nbt.3820`],
    [
      "with a slip in its title",
      `- ${authors} (2017). Nextflow enables reproducable computational workflow. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
    ],
    [
      "with another form of a word of its title",
      `- ${authors} (2017). Nextflow enables reproducible computation workflows. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
    ],
    [
      "with a small word in place of another",
      `- Li, H., & Handsaker, B. (2009). The Sequence Alignment/Map format with SAMtools. *Bioinformatics*. https://doi.org/10.1093/bioinformatics/btp352`,
    ],
    [
      "with its journal behind half its title",
      `- ${authors} (2017). Nextflow enables reproducible, Nature Biotechnology. https://doi.org/10.1038/nbt.3820`,
    ],
    [
      "with a colon in a title behind commas, and words of it that look like a name",
      `- Paolo Di Tommaso, Maria Chatzou, Nextflow, Reproducible Workflows: ${title}, in: Nature Biotechnology 35 (2017) 316–319. https://doi.org/10.1038/nbt.3820`,
    ],
    [
      "by an earlier title, at its place in the journal",
      `- ${authors} (2017). Reproducible computational workflows with Nextflow. *Nature Biotechnology*, 35, 316-319.`,
    ],
    ["with a number of its parts", `- ${authors} (2017). ${title}. I and II. Nat Biotechnol 35: 316-319.`],
    [
      "with a remark behind its authors",
      `- Di Tommaso P., M. Chatzou and E. Floden (with discussion) 2017 ${title} *Nature Biotechnology* **35** 316–319.`,
    ],
    ["a year off", `- ${authors} (2018). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`],
    [
      "with family and given name changed about",
      `- Paolo, D., & Maria, C. (2017). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
    ],
    [
      "with an author whom the registry may lack",
      `- Di Tommaso, P., Chatzou, M., Floden, E. W., & Hargrave, L. (2017). ${title}. *Nature Biotechnology*.`,
    ],
    [
      "with another family name of an author",
      `- Di Tommaso, P., Hargrave, M., & Floden, E. W. (2017). ${title}. *Nature Biotechnology*.`,
    ],
    [
      "with given names between commas",
      `- Di Tommaso, Paolo, Maria Chatzou, and Evan W Floden. "${title}." *Nature Biotechnology* (2017).`,
    ],
    [
      "with names in another script",
      `- Ди Томмазо П., Хатцу М. ${title} // Nature Biotechnology. 2017. V. 35. P. 316–319.`,
    ],
    [
      "by a name for it in a sentence",
      "- The [engine](https://doi.org/10.1038/nbt.3820) that Di Tommaso and Chatzou (*Nature Biotechnology*, 2017) wrote is the first of its kind.",
    ],
    ["by its DOI alone", "- https://doi.org/10.1038/nbt.3820"],
    [
      "without its title",
      "[1] P. Di Tommaso, M. Chatzou, et al., Nat Biotechnol 35, 316 (2017). doi:10.1038/nbt.3820.",
    ],
  ])("%s", async (_, text) => {
    expect((await findings(text))[0]).toMatchObject({ finding: "ok" });
  });

  test.each([
    ["a book", "@book{a, title = {An unknown book of workflows and tools}, author = {Chatzou, Maria}, year = {2019}}"],
    [
      "a work in press",
      "@article{a, title = {Another unknown paper of workflows}, author = {Chatzou, Maria}, journal = {Bioinformatics}, note = {in press}, year = {2026}}",
    ],
  ])("%s that no registry has is unknown", async (_, text) => {
    const registries = createRegistries(async (url) => answer(url));
    const [verdict] = await verify(
      citedWorksOf("a.bib", text.replace("Bioinformatics}", "Bioinformatics, in press}")),
      registries,
      Date.UTC(2026, 10, 26),
    );
    expect(verdict?.finding).toBe("unknown");
  });
});

test("the evidence names the person who is none of the authors", async () => {
  const text = `- Di Tommaso, P., Hargrave, L., & Floden, E. W. (2017). ${title}. *Nature Biotechnology*.`;
  const evidence = "Hargrave, L. is none of its authors: Paolo Di Tommaso, Maria Chatzou, Evan W Floden";
  expect((await findings(text))[0]).toMatchObject({ evidence });
});

test("an article of a venue that no registry lists is not searched for by parts of its title", async () => {
  const asked: string[] = [];
  const text = "- Li, H. (2012). A workflow engine that was never written by anybody. *Some Journal*.";
  await findings(text, (url) => {
    asked.push(new URL(url).pathname);
    return answer(url);
  });
  expect(asked).toEqual(["/works", "/works", "/journals", "/sources"]);
});

test.each([
  ["图神经网络研究进展与应用综述", 2010, "not-found"],
  ["图神经网络研究进展与应用综述", 2020, "unknown"],
  ["A survey of graph networks", 2010, "unknown"],
])(
  "if a registry has of a journal “%s” (%i), an invented Chinese title (2019) is %s",
  async (known, since, finding) => {
    const journal = "计算机学报";
    const changed = { title: [known], "container-title": [journal], issued: { "date-parts": [[since, 1, 1]] } };
    const text = `[1] 赵明远. 面向边缘节点的低功耗缓存方法[J]. ${journal}, 2019, 42(1): 1-9.`;
    expect((await findings(text, (url) => answer(url, changed)))[0]?.finding).toBe(finding);
  },
);

test("an invented title is searched for by parts in a script without spaces, too", () => {
  expect(partsOf("面向边缘节点的方法")).toEqual(["面 向 边", "缘 节 点", "的 方 法"]);
});

test.each(["/journals", "/sources"])(
  "an article is not checked if %s does not answer whether its venue is known",
  async (path) => {
    const text = "- Li, H. (2012). A workflow engine that was never written by anybody. *Some Journal*.";
    const ask = (url: string) => (new URL(url).pathname === path ? missing : answer(url));
    expect((await findings(text, ask))[0]).toMatchObject({ finding: "unknown", isUnanswered: true });
  },
);

test("an acronym that another name spells out is of no other journal", async () => {
  const text = `- ${authors} (2017). ${title}. *E-Journal of Kiln Chemistry*. https://doi.org/10.1038/nbt.3820`;
  const ask = (url: string) => answer(url, { "short-container-title": ["NB"] });
  expect((await findings(text, ask))[0]?.finding).toBe("differs");
});

test.each([
  ["CoNLL", "Proceedings of the 20th SIGNLL Conference on Computational Natural Language Learning", true],
  ["A&A", "Astronomy & Astrophysics", true],
  ["CSCW", "Proceedings of the ACM on Human-Computer Interaction", true],
  ["cvpr", "2016 IEEE Conference on Computer Vision and Pattern Recognition", true],
  ["Journal of Finance", "Journal of Financial Economics", false],
  ["PeerJ", "The Scientific World Journal", false],
  ["Chemical Reviews", "The Journal of Chemical Physics", false],
  ["Phys. Rev.", "Physical Review", true],
  ["Int. J. Cancer", "International Journal of Cancer", true],
  ["Physica", "Physica D: Nonlinear Phenomena", true],
  ["Science", "Political Science Quarterly", false],
  ["The Journal of Finance", "Journal of Finance and Banking", false],
  ["BMC Biology", "BMC Genomics", false],
])("two names may be of one venue: %s and %s", (one, other, is) => {
  expect([isSameVenue(one, other), isSameVenue(other, one)]).toEqual([is, is]);
});

describe("a wrong citation is named", () => {
  test.each([
    [
      "other-work",
      "the DOI of another work",
      `- ${authors} (2017). ${title}. *Nature Biotechnology*. https://doi.org/10.1093/bioinformatics/btp352`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "other authors",
      `- Handsaker, B., & Li, H. (2017). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "one other author, by the full name",
      `- Ivo Drava. 2017. ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "other authors, and a range of issues that is none of pages",
      `- Warta A, Narew B. ${title}. Nature Biotechnology. 2017;35(4-5):316.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another year than that of its conference, without brackets",
      `- P. Di Tommaso, “${title},” *The 2017 Nature Biotechnology Days*, 2008. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "other authors, and a given name that one of the real ones has",
      `- HARGRAVE, Paolo, WRIGHT, Orville. ${title}[J]. Nature Biotechnology, 2017, 35(4):316-319.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another author by an initial before a quoted title",
      `- L Hargrave, “${title},” *Nature Biotechnology* 35:4 (2017), 316–319.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another author in a row that begins with its year",
      `| 2017 | ${title} | Hargrave et al. | Nature Biotechnology |`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "a title with another word",
      `- ${authors} (2017). Nextflow enables reproducible computational markets. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "a title with two other words",
      "- Li, H., & Handsaker, B. (2009). The Barley Alignment/Map Kites and SAMtools. *Bioinformatics*. doi:10.1093/bioinformatics/btp352",
      "10.1093/bioinformatics/btp352",
    ],
    [
      "differs",
      "other people, each with a name in brackets",
      `- Hargrave (L.), Narew (U.), « ${title} », *Nature Biotechnology*, 35 (4), 2017.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "other people with a slash between them",
      `- Lawrence Hargrave / Ute Narew: ${title}, in: Nature Biotechnology, 35 Jg. (2017), H. 4, S. 316-319.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another venue before the same volume and page",
      `- Di Tommaso P, Chatzou M (2017). ${title}. Journal of Workflow Engines **35**, 316.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "half a title that is another one",
      `- ${authors} (2017). Nextflow enables reproducible harvests of winter barley. *Nature Biotechnology*, 35(4), 316-319. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "a stranger in place of an author",
      `- Di Tommaso, P., Hargrave, L., & Floden, E. W. (2017). ${title}. *Nature Biotechnology*, 35(4), 316-319.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "a stranger among all authors",
      `- Di Tommaso, P., Hargrave, L., Chatzou, M., & Floden, E. W. (2017). ${title}. *Nature Biotechnology*.`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another year",
      `- ${authors} (2009). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another year of a short title, at the right place",
      "- Di Tommaso P. Nextflow engines. Nature Biotechnology. 2007;36:316-319.",
      "10.1038/nbt.3821",
    ],
    [
      "differs",
      "another year of a short title, at the right place, with a double issue",
      "- Di Tommaso P. Nextflow engines. Nature Biotechnology. 2007;36, 4-5:316.",
      "10.1038/nbt.3821",
    ],
    [
      "differs",
      "one other author, by the full name before a quoted title",
      `1. Ivo Drava. "${title}." Nature Biotechnology 35.4 (2017): 316-319. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "one other author, by the full name before an emphasised title",
      `<li>Ivo Drava. <em>${title}</em>. Nature Biotechnology, 35(4):316–319, 2017.</li>`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another year than that of its conference",
      `- ${authors} (2008). "${title}." *The 2017 Nature Biotechnology Days*. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "another journal",
      `- ${authors} (2017). ${title}. *Ocean Engineering*. https://doi.org/10.1038/nbt.3820`,
      "10.1038/nbt.3820",
    ],
    [
      "differs",
      "a DOI that nobody registered",
      `- ${authors} (2017). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3028`,
      "10.1038/nbt.3820",
    ],
    [
      "not-found",
      "an invented article of a journal that is covered",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Bioinformatics*.",
      undefined,
    ],
    [
      "not-found",
      "an invented article of a journal whose abbreviation is in a record of another article",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Nat. Biotechnol.*",
      undefined,
    ],
    [
      "not-found",
      "an invented article of a journal whose abbreviation only OpenAlex has",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Kiln Lett.*",
      undefined,
    ],
    [
      "not-found",
      "an invented article of a journal with the beginning of a word of its name",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *J Workflow Engines*.",
      undefined,
    ],
    [
      "not-found",
      "an invented article of a journal whose name goes on behind a comma",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Journal of Workflow Engines, Tools and Practice*.",
      undefined,
    ],
    [
      "not-found",
      "an invented article with an invented DOI",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Some Journal*. https://doi.org/10.1000/none.17",
      undefined,
    ],
  ])("%s: %s", async (finding, _, text, proposed) => {
    const [verdict] = await findings(text);
    expect(verdict).toMatchObject({ finding });
    expect(verdict?.proposed).toBe(proposed);
  });

  test.each([
    [
      "two registries, by its title",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Some Journal*. https://doi.org/10.1000/none.17",
      "10.1000/none.17 is not registered, and a search found no such title",
    ],
    [
      "one registry, by all its words",
      "- Wet sand carries slow echoes further than anybody knew, doi:10.1000/none.18",
      "10.1000/none.18 is not registered, and a search found no such title",
    ],
    [
      "two registries, and one lists its venue",
      "- Li, H. (2012). A workflow engine that was never written by anybody. *Bioinformatics*.",
      "neither Crossref nor OpenAlex has “A workflow engine that was never written by anybody”, though a registry lists Bioinformatics",
    ],
  ])("not found: says what was asked: %s", async (_, text, evidence) => {
    expect(await findings(text)).toMatchObject([{ finding: "not-found", evidence }]);
  });

  test("not found: a preprint without its number, unless arXiv has the title", async () => {
    const text = "- Li, H. (2012). A workflow engine that was never written by anybody. *arXiv preprint*.";
    const queries: string[] = [];
    const withArxiv = (entry: string) => (url: string) => {
      const { hostname, searchParams } = new URL(url);
      if (hostname !== "export.arxiv.org") return answer(url);
      queries.push(searchParams.get("search_query") ?? "");
      return { status: 200, body: `<feed>${entry}</feed>` };
    };
    const evidence =
      "neither arXiv nor Crossref nor OpenAlex has “A workflow engine that was never written by anybody”";
    expect(await findings(text, withArxiv(""))).toMatchObject([{ finding: "not-found", evidence }]);
    expect(queries[0]).toMatch(/^ti:\w+(?: AND ti:\w+)+$/);
    const known =
      "<entry><id>http://arxiv.org/abs/1203.00017v1</id><published>2012-03-01T00:00:00Z</published>" +
      "<title>A workflow engine that was never written by anybody</title><author><name>Heng Li</name></author></entry>";
    expect((await findings(text, withArxiv(known)))[0]?.finding).toBe("unknown");
    const ofThisYear = text.replace("2012", "2026");
    expect((await findings(ofThisYear, withArxiv("")))[0]?.finding).toBe("unknown");
  });

  test("retracted: by a notice, unless the citation says so", async () => {
    const retracted = (url: string) => answer(url, { "updated-by": [{ type: "retraction" }] });
    const text = `- ${authors} (2017). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`;
    expect((await findings(text, retracted))[0]?.finding).toBe("retracted");
    expect((await findings(`${text} (retracted)`, retracted))[0]?.finding).toBe("ok");
  });

  test("published: the preprint has become an article", async () => {
    const preprint = (url: string) =>
      answer(url, {
        type: "posted-content",
        "container-title": ["bioRxiv"],
        relation: { "is-preprint-of": [{ id: "10.1093/later" }] },
      });
    const text = `- ${authors} (2017). ${title}. *bioRxiv*. https://doi.org/10.1038/nbt.3820`;
    expect((await findings(text, preprint))[0]).toMatchObject({ finding: "published", proposed: "10.1093/later" });
  });
});

describe("a service that fails accuses nobody", () => {
  const texts = [
    `- ${authors} (2017). ${title}. *Nature Biotechnology*. https://doi.org/10.1038/nbt.3820`,
    "- Li, H. (2012). A workflow engine that was never written by anybody. *Bioinformatics*.",
    "- Li, H. (2012). A workflow engine that was never written by anybody. *Some Journal*. https://doi.org/10.1000/none.17",
  ].join("\n");
  test.each<[string, RegistryAnswer]>([
    ["429", { status: 429, body: "" }],
    ["500", { status: 500, body: "" }],
    ["403", { status: 403, body: "" }],
    ["no answer", { status: 0, body: "" }],
    ["HTML with 200", { status: 200, body: "<!doctype html><title>Please wait</title>" }],
    ["an empty list", { status: 200, body: '{"message":{"items":[]},"results":[]}' }],
    [
      "a list without end",
      {
        status: 200,
        body: JSON.stringify({ message: { items: Array.from({ length: 5_000 }, () => samtools) }, results: [] }),
      },
    ],
  ])("%s", async (_, given) => {
    for (const { finding } of await findings(texts, () => given)) expect(["ok", "unknown"]).toContain(finding);
  });
});
