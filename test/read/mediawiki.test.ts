import { describe, expect, test } from "vitest";
import { mediawiki } from "../../src/read/kinds/mediawiki.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const answer = (page: object, more: object = {}) =>
  response(JSON.stringify({ curtimestamp: "2026-07-10T12:00:00Z", query: { pages: [page] }, ...more }));

describe("mediawiki", () => {
  test("reads the text, where the page leads, and the edits that lasted", async () => {
    const { facts, title, items, blocks } = await reading(mediawiki, fixture("mediawiki.json"));
    expect([title, facts]).toEqual(["Hargrave kite", { title: "Hargrave kite" }]);
    expect(items).toEqual([
      {
        id: "105",
        title: "Records: a man, by kites",
        url: "https://en.wikipedia.org/w/index.php?diff=105",
        at: Date.UTC(2026, 6, 6, 8),
      },
      {
        id: "104",
        title: "Edit 104",
        url: "https://en.wikipedia.org/w/index.php?diff=104",
        at: Date.UTC(2026, 6, 5, 8),
      },
    ]);
    expect(blocks?.map(({ path, kind, text }) => `${kind} ${[...path, text].join(" > ")}`)).toEqual([
      "paragraph A Hargrave kite is a kite of two boxes.",
      "heading History",
      "paragraph History > It flew first in 1893.",
      "heading History > Records",
      "paragraph History > Records > Four of them lifted a man.",
      "heading Use",
      "paragraph Use > Weather was measured with it.",
    ]);
  });

  test("is content with the edits if a wiki cannot give its text, and not if it only did not", async () => {
    const bare = { title: "Kite", revisions: [] };
    const warned = { warnings: { query: { warnings: 'Unrecognized value for parameter "prop": extracts.' } } };
    expect(await reading(mediawiki, answer(bare, warned))).toEqual({
      title: "Kite",
      items: [],
      facts: { title: "Kite" },
    });
    expect(await failure(mediawiki, answer(bare))).toBe("not well-formed text of MediaWiki");
  });

  test("says nothing of its edits if all of the newest are small or of today", async () => {
    const edits = [
      { revid: 2, timestamp: "2026-07-10T08:00:00Z" },
      { revid: 1, timestamp: "2026-07-01T08:00:00Z", minor: true },
    ];
    const read = await reading(mediawiki, answer({ title: "Kite", extract: "A kite.", revisions: edits }));
    expect(Object.keys(read)).toEqual(["title", "blocks", "facts"]);
  });

  test.each(["", "yesterday", 1_783_670_400])("refuses %j as a time: which edits lasted is unknown", async (time) => {
    const page = { title: "Kite", extract: "A kite.", revisions: [{ revid: 1, timestamp: time }] };
    expect(await failure(mediawiki, answer(page))).toBe("not well-formed page of MediaWiki");
    expect(await failure(mediawiki, answer({ ...page, revisions: [] }, { curtimestamp: time }))).toBe(
      "not well-formed page of MediaWiki",
    );
  });

  test("says that a page was deleted, and refuses another answer", async () => {
    expect(await failure(mediawiki, answer({ title: "Kite", missing: true }))).toBe("404, not found");
    expect(await failure(mediawiki, '{"error":{"code":"maxlag","info":"Waiting"}}')).toBe(
      "not well-formed page of MediaWiki",
    );
    expect(await failure(mediawiki, "<!doctype html><title>Wiki</title>")).toContain("HTML");
  });

  test.each([
    [
      "https://en.wikipedia.org/wiki/Box_kite",
      "https://en.wikipedia.org/wiki/Box_kite",
      "https://en.wikipedia.org/w/api.php",
      "Box kite",
    ],
    [
      "https://de.m.wikipedia.org/wiki/Dra%C3%A4chen",
      "https://de.wikipedia.org/wiki/Dra%C3%A4chen",
      "https://de.wikipedia.org/w/api.php",
      "Draächen",
    ],
    [
      "https://en.wikipedia.org/w/index.php?title=Box_kite",
      "https://en.wikipedia.org/w/index.php?title=Box_kite",
      "https://en.wikipedia.org/w/api.php",
      "Box kite",
    ],
    [
      "https://kites.example.org/index.php?title=Box_kite&useskin=x",
      "https://kites.example.org/index.php?title=Box_kite",
      "https://kites.example.org/api.php",
      "Box kite",
    ],
  ])("asks the wiki of %s for its page", (address, watched, api, title) => {
    expect(mediawiki.recognises?.(new URL(address))).toEqual({ address: watched });
    expect(mediawiki.address.safeParse(watched).success).toBe(true);
    const { url } = mediawiki.request(source(mediawiki, {}, watched), { githubToken: false });
    expect(url.split("?")[0]).toBe(api);
    expect(new URL(url).searchParams.get("titles")).toBe(title);
  });

  test("watches the page in the place of one old version", () => {
    const old = new URL("https://en.wikipedia.org/w/index.php?title=Box_kite&oldid=105");
    expect(mediawiki.recognises?.(old)).toMatchObject({ instead: true });
  });

  test.each([
    "https://en.wikipedia.org/wiki/Special:RecentChanges",
    "https://en.wikipedia.org/wiki/Category:Kites",
    "https://en.wikipedia.org/w/index.php?title=Box_kite&action=history",
    "https://en.wikipedia.org/w/index.php?title=Box_kite&diff=105",
    "https://en.wikipedia.org/",
    "https://example.org/wiki/Box_kite",
    "https://example.org/index.php?id=3",
  ])("does not know %s", (address) => {
    expect(mediawiki.recognises?.(new URL(address))).toBeUndefined();
  });
});
