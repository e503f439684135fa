import { describe, expect, test } from "vitest";
import { doi } from "../../src/read/kinds/doi.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

/** Facts that name notices: all but those of the work's identity. */
const noticed = async (message: object) => {
  const { title: _, authors: __, ...rest } = (await reading(doi, work(message))).facts ?? {};
  return rest;
};
const work = (message: object) => response(JSON.stringify({ message: { DOI: "10.5555/x", ...message } }));

describe("doi", () => {
  test("reads notices about a work, each once, newest first", async () => {
    expect(await reading(doi, fixture("doi.json"))).toEqual({
      title: "RETRACTED: On the lift of small kites",
      items: [
        {
          id: "retraction 10.5555/kites.12",
          title: "Retraction 10.5555/KITES.12",
          url: "https://doi.org/10.5555/KITES.12",
          at: Date.UTC(2026, 6, 8),
        },
        {
          id: "correction 10.5555/kites.9",
          title: "Correction 10.5555/kites.9",
          url: "https://doi.org/10.5555/kites.9",
          at: Date.UTC(2026, 2, 1),
        },
        {
          id: "expression_of_concern 10.5555/kites.11",
          title: "Expression of concern 10.5555/kites.11",
          url: "https://doi.org/10.5555/kites.11",
        },
      ],
      facts: {
        title: "On the lift of small kites",
        retracted: "10.5555/KITES.12",
        corrected: "10.5555/kites.9",
        concern: "10.5555/kites.11",
        "new-version": "10.5555/kites.30",
      },
    });
  });

  test("has no facts until a notice comes", async () => {
    expect(await reading(doi, work({ title: ["T"] }))).toEqual({ title: "T", items: [], facts: { title: "T" } });
    expect(await reading(doi, work({ "updated-by": null, relation: {} }))).toEqual({ items: [], facts: {} });
  });

  test("has its title and authors as facts, without the mark of a retraction", async () => {
    const author = [{ family: "Osprey", given: "Ash" }, { name: "Kite Group" }, { family: "Linnet" }];
    const { facts } = await reading(doi, work({ title: ["RETRACTED: On kites"], author }));
    expect(facts).toMatchObject({ title: "On kites", authors: "Ash Osprey, Kite Group, Linnet" });
    const many = Array.from({ length: 3_000 }, (_, i) => ({ family: `Gull ${i}` }));
    expect((await reading(doi, work({ author: many }))).facts?.authors?.length).toBeLessThan(1_100);
  });

  test("knows where a preprint was published, and keeps a notice of an unknown type as an item alone", async () => {
    const relation = { "is-preprint-of": [{ id: "10.5555/kites.3", "id-type": "doi" }] };
    const { items, facts } = await reading(
      doi,
      work({ relation, "updated-by": [{ DOI: "10.5555/y", type: "praise" }] }),
    );
    expect(facts).toEqual({ "published-as": "10.5555/kites.3" });
    expect(items?.map(({ title }) => title)).toEqual(["Praise 10.5555/y"]);
  });

  test("knows a type of notice however it is spelled", async () => {
    const each = ["expression_of_concern", "Expression of Concern", "expression-of-concern"];
    const notices = each.map((type) => ({ DOI: "10.5555/y", type }));
    const { items, facts } = await reading(doi, work({ "updated-by": notices }));
    expect(facts).toEqual({ concern: "10.5555/y" });
    expect(items?.map(({ title }) => title)).toEqual(["Expression of concern 10.5555/y"]);
    const partial = [{ DOI: "10.5555/z", type: "partial-retraction" }];
    expect((await reading(doi, work({ "updated-by": partial }))).facts).toEqual({ concern: "10.5555/z" });
  });

  test("believes a title that says of its own work that it was retracted", async () => {
    const titled = async (title: string, more = {}) => await noticed({ title: [title], ...more });
    const own = { retracted: "10.5555/kites.1" };
    expect(await titled("RETRACTED: On kites", { DOI: "10.5555/kites.1" })).toEqual(own);
    expect(await titled("WITHDRAWN ARTICLE: On kites", { DOI: "10.5555/kites.1" })).toEqual(own);
    const notices = { "updated-by": [{ DOI: "10.5555/y", type: "retraction" }] };
    expect(await titled("RETRACTED: On kites", notices)).toEqual({ retracted: "10.5555/y" });
    for (const title of ["RETRACTION: On kites", "RETRACTED kites", "Removed: how kites land", "Kites retracted"])
      expect(await titled(title), title).toEqual({});
  });

  test.each([
    "Retracted: On kites",
    "Retracted article: On kites",
    "[Retracted] On kites",
    "[RETRACTED ARTICLE] On kites",
    "(Withdrawn) On kites",
    "REMOVED: On kites",
    "TEMPORARY REMOVAL: On kites",
    "RETRACTED – On kites",
    "RETRACTED AND REPUBLISHED: On kites",
    "On kites [Retracted]",
    "On kites (Retracted article. See vol. 3, pg. 4, 2026)",
  ])("a title says that its work was retracted: %s", async (title) => {
    const own = { DOI: "10.5555/kites.1", title: [title] };
    expect(await noticed(own)).toEqual({ retracted: "10.5555/kites.1" });
    // A notice is called like the work that it retracts.
    const notice = { ...own, "update-to": [{ DOI: "10.5555/kites.0", type: "retraction" }] };
    expect(await noticed(notice)).toEqual({});
  });

  test("a work does not come after itself", async () => {
    const own = { "updated-by": [{ DOI: "10.5555/X", type: "new_version" }] };
    const relation = { "is-replaced-by": [{ id: "10.5555/X", "id-type": "doi" }] };
    const { items, facts } = await reading(doi, work({ ...own, relation }));
    expect(facts).toEqual({});
    expect(items?.map(({ title }) => title)).toEqual(["New version 10.5555/X"]);
    // But it may be retracted in place.
    const notices = { "updated-by": [{ DOI: "10.5555/x", type: "retraction" }] };
    expect((await reading(doi, work(notices))).facts).toEqual({ retracted: "10.5555/x" });
  });

  test("a work that was replaced in place was retracted; one that was reinstated since is not", async () => {
    const facts = async (...notices: object[]) => (await reading(doi, work({ "updated-by": notices }))).facts;
    const on = (day: number) => ({ updated: { "date-parts": [[2026, 3, day]] } });
    const retraction = { DOI: "10.5555/r", type: "retraction", ...on(2) };
    const reinstated = { DOI: "10.5555/y", type: "Reinstatement" };
    for (const type of ["retract-and-replace", "Retraction and replacement", "retraction_and_replacement"])
      expect(await facts({ DOI: "10.5555/y", type }), type).toEqual({ retracted: "10.5555/y" });
    expect(await facts(retraction, { ...reinstated, ...on(9) })).toEqual({});
    expect(await facts(retraction, reinstated)).toEqual({});
    expect(await facts(retraction, { ...reinstated, ...on(1) })).toEqual({ retracted: "10.5555/r" });
    const again = { DOI: "10.5555/s", type: "withdrawal", ...on(20) };
    expect(await facts(retraction, { ...reinstated, ...on(9) }, again)).toEqual({ retracted: "10.5555/s" });
    const titled = { title: ["RETRACTED: On kites"], "updated-by": [retraction, reinstated] };
    expect(await noticed(titled)).toEqual({});
  });

  test("asks Crossref, with the slash of a DOI as it is written in one part of a path", () => {
    const asked = (address: string) => doi.request(source(doi, {}, address), { githubToken: false }).url;
    expect(asked("10.1000/a/b(c)1")).toBe("https://api.crossref.org/v1/works/10.1000%2Fa%2Fb(c)1");
    expect(doi.page(source(doi))).toBe("https://doi.org/10.1145/3292500.3330701");
  });

  test.each([
    ["https://doi.org/10.1038/s41586-021-03819-2", { address: "10.1038/s41586-021-03819-2" }],
    ["http://dx.doi.org/10.1000/a%2Fb", { address: "10.1000/a/b" }],
    ["https://dl.acm.org/doi/10.1145/3292500.3330701", { address: "10.1145/3292500.3330701" }],
    ["https://publisher.example/doi/full/10.1000/182", { address: "10.1000/182" }],
    ["https://publisher.example/doi/10.1000/182/suppl_file/a.txt", undefined],
    ["https://publisher.example/10.1000/182", { address: "10.1000/182" }],
    ["https://publisher.example/articles/s41586-021-03819-2", undefined],
  ])("knows %s", (address, recognised) => {
    expect(doi.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(doi, "{}")).toBe("not well-formed work of Crossref");
    expect(await failure(doi, "Resource not found.")).toBe("not well-formed JSON");
    for (const address of ["doi:10.1000/182", "10.1/x", "10.1000/", "the-identifier/doi/urn"]) {
      expect(doi.address.safeParse(address).success, address).toBe(false);
    }
  });
});
