import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { whatwg } from "../../src/read/kinds/whatwg.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("whatwg", () => {
  test("reads the commits that changed what the standard demands", async () => {
    expect(await reading(whatwg, fixture("whatwg.json"))).toEqual({
      items: [
        {
          id: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
          title: "Let kites fly at night",
          url: "https://github.com/whatwg/kites/commit/1",
          at: Date.UTC(2026, 6, 8, 10),
          blocks: [{ path: [], kind: "paragraph", text: "Tests: none." }],
        },
      ],
    });
  });

  test("says nothing of its commits if all of the newest are editorial", async () => {
    const commit = { sha: "a".repeat(40), html_url: "https://github.com/whatwg/kites/commit/1" };
    const list = [{ ...commit, commit: { message: "Editorial: fix a link", committer: { date: "2026-07-08" } } }];
    expect(await reading(whatwg, response(JSON.stringify(list)))).toEqual({});
    expect(await reading(whatwg, response("[]"))).toEqual({ items: [] });
  });

  test("asks its repository, by the API or by Atom", () => {
    const asked = (githubToken: boolean) => whatwg.request(source(whatwg), { githubToken }).url;
    expect(asked(true)).toContain("https://api.github.com/repos/whatwg/fetch/commits");
    expect(asked(false)).toBe("https://github.com/whatwg/fetch/commits/HEAD.atom");
  });

  test.each([
    ["https://fetch.spec.whatwg.org/", { kind: "whatwg", address: "fetch" }],
    ["https://html.spec.whatwg.org/multipage/", { kind: "whatwg", address: "html" }],
    ["https://fetch.spec.whatwg.org/review-drafts/2026-06/", { kind: "whatwg", address: "fetch", instead: true }],
    [
      `https://fetch.spec.whatwg.org/commit-snapshots/${"a".repeat(40)}/`,
      { kind: "whatwg", address: "fetch", instead: true },
    ],
    [
      "https://html.spec.whatwg.org/multipage/canvas.html",
      { kind: "page", address: "https://html.spec.whatwg.org/multipage/canvas.html" },
    ],
    ["https://whatwg.org/faq", { kind: "page", address: "https://whatwg.org/faq" }],
  ])("%s is of its kind", (url, watched) => {
    expect(kindOf(url, readers)).toEqual(watched);
  });

  test("refuses another answer", async () => {
    expect(await failure(whatwg, '{"message":"Not Found"}')).toBe("not well-formed list of GitHub commits");
  });
});
