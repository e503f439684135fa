import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { datacite } from "../../src/read/kinds/datacite.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("datacite", () => {
  test("reads its versions, those that came after it, and that it was withdrawn", async () => {
    const version = (doi: string) => ({ id: doi, title: `Version ${doi}`, url: `https://doi.org/${doi}` });
    expect(await reading(datacite, fixture("datacite.json"))).toEqual({
      title: "Kites of today",
      items: [version("10.5281/zenodo.10"), version("10.5281/zenodo.9")],
      facts: { title: "Kites of today", "new-version": "10.5281/zenodo.42", withdrawn: "2026-07-01" },
    });
    const bare = response('{"data":{"attributes":{"doi":"10.5281/zenodo.41"}}}');
    expect(await reading(datacite, bare)).toEqual({ items: [], facts: {} });
  });

  test("a work does not come after itself", async () => {
    const relate = (relationType: string) => ({
      relationType,
      relatedIdentifier: "10.5281/ZENODO.41",
      relatedIdentifierType: "DOI",
    });
    const relatedIdentifiers = [relate("IsPreviousVersionOf"), relate("HasVersion")];
    const attributes = { doi: "10.5281/zenodo.41", relatedIdentifiers };
    expect(await reading(datacite, response(JSON.stringify({ data: { attributes } })))).toEqual({
      items: [],
      facts: {},
    });
  });

  test("asks DataCite for a DOI, with any characters in it", () => {
    const one = source(datacite, {}, "10.5061/dryad.a_(b)/1");
    expect(datacite.request(one, { githubToken: false }).url).toBe(
      "https://api.datacite.org/dois/10.5061%2Fdryad.a_(b)%2F1",
    );
  });

  test.each([
    ["https://doi.org/10.5281/zenodo.41", "datacite", "10.5281/zenodo.41"],
    ["https://zenodo.org/records/41", "datacite", "10.5281/zenodo.41"],
    ["https://www.zenodo.org/record/41/files/kites.csv", "datacite", "10.5281/zenodo.41"],
    ["https://zenodo.org/communities/kites", "page", "https://zenodo.org/communities/kites"],
    ["https://doi.org/10.1145/3292500.3330701", "doi", "10.1145/3292500.3330701"],
    ["https://doi.org/10.48550/arXiv.1706.03762", "arxiv", "1706.03762"],
  ])("%s is of its kind", (url, kind, address) => {
    expect(kindOf(url, readers)).toEqual({ kind, address });
  });

  test("refuses another answer", async () => {
    expect(await failure(datacite, '{"errors":[{"status":"404"}]}')).toBe("not well-formed DOI of DataCite");
  });
});
