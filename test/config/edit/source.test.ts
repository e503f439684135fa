import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewEntry } from "../../../src/config/edit/entry.ts";
import { addSource } from "../../../src/config/edit/source.ts";
import { titleFrom } from "../../../src/faces/cli/add/propose.ts";
import { feed as feedReader } from "../../../src/read/kinds/feed.ts";
import { anySign } from "../../support/any-sign.ts";
import { configOf } from "../../support/config-of.ts";
import { runs } from "../../support/runs.ts";

const feed: NewEntry = {
  id: "new-one",
  keys: [
    ["feed", "https://new.example/feed.xml?a=1&b=2"],
    ["title", "New: one"],
    ["stands-for", [3, 4]],
  ],
};

function written(text: string, source = feed): string {
  const result = addSource(text, source);
  if ("says" in result) throw new Error(result.says);
  return result.text;
}

const report = "report: { title: R, audited: 2026-05-16 }\n";

describe("in the style of the file", () => {
  test("a block, set in and spaced as the others, below the comments at its depth", () => {
    const text = `${report}sources:
    # first
    a:
        page: https://a.example/

    b:
        page: https://b.example/ # why
        claims:
            one:
                says: it is so
                quote: |
                    so it
                    is
        # end of b
    # not yet: c

# another part
unwatchable: []
`;
    const entry = `
    new-one:
        feed: https://new.example/feed.xml?a=1&b=2
        title: "New: one"
        stands-for: [3, 4]
`;
    expect(written(text)).toBe(text.replace("    # not yet: c\n", `    # not yet: c\n${entry}`));
  });

  test("braces, if most are in braces", () => {
    const text = `${report}sources:\n  a: {page: "https://a.example/", title: "A"}\n  b:\n    {page: "https://b.example/"}\n`;
    expect(written(text, { ...feed, comment: "In place of it" })).toBe(
      `${text}  # In place of it\n  new-one: {feed: "https://new.example/feed.xml?a=1&b=2", title: "New: one", stands-for: [3, 4]}\n`,
    );
  });

  test("single quotes, if the others have them without need", () => {
    const text = `${report}sources:\n  a:\n    page: 'https://a.example/'\n    title: 'A'`;
    expect(
      written(text, {
        id: "b",
        keys: [
          ["page", "https://b.example/it's"],
          ["title", "B"],
        ],
      }),
    ).toBe(`${text}\n  b:\n    page: "https://b.example/it's"\n    title: 'B'`);
  });

  test("all of it in braces", () => {
    expect(written("{report: {title: R, audited: 2026-05-16}, sources: {a: {page: https://a.example/}}}")).toBe(
      '{report: {title: R, audited: 2026-05-16}, sources: {a: {page: https://a.example/}, new-one: {feed: https://new.example/feed.xml?a=1&b=2, title: "New: one", stands-for: [3, 4]}}}',
    );
    expect(written(`${report}sources: {\n  a: { page: https://a.example/ },\n}\n`)).toBe(
      `${report}sources: {\n  a: { page: https://a.example/ },\n  new-one: { feed: https://new.example/feed.xml?a=1&b=2, title: "New: one", stands-for: [3, 4] },\n}\n`,
    );
  });

  test.each([
    [", # why", ", # why", ","],
    [" # why", ", # why", ""],
  ])("braces over many lines, with the comment beside the last one: %s", (before, after, comma) => {
    const own = 'new-one: { feed: https://new.example/feed.xml?a=1&b=2, title: "New: one", stands-for: [3, 4] }';
    expect(written(`${report}sources: {\r\n  a: { page: https://a.example/ }${before}\r\n  # end\r\n}\r\n`)).toBe(
      `${report}sources: {\r\n  a: { page: https://a.example/ }${after}\r\n  ${own}${comma}\r\n  # end\r\n}\r\n`,
    );
  });

  test.each([
    ["empty", "sources: # none yet\nlevels: []\n"],
    ["in empty braces", "sources: {} # none yet\nlevels: []\n"],
    ["missing", "levels: []\n"],
    ["missing, without an end of line", "levels: []"],
  ])("`sources` that is %s", (_, rest) => {
    const text = written(report + rest);
    expect([...configOf(text.replace("levels: []", "")).sources.keys()]).toEqual(["new-one"]);
    if (rest.includes("#")) expect(text).toContain("sources: # none yet\n  new-one:\n    feed:");
  });

  test("a list that uses aliases or holds the id already is left alone", () => {
    expect(addSource(`${report}sources:\n  new-one: { page: https://a.example/ }\n`, feed)).toHaveProperty("says");
    expect(addSource(`${report}x: &a\n  b: { page: https://a.example/ }\nsources: *a\n`, feed)).toHaveProperty("says");
    expect(addSource(`${report}sources: [a]\n`, feed)).toHaveProperty("says");
    expect(addSource("- not\n- a map\n", feed)).toHaveProperty("says");
    expect(addSource(`${report}sources: ~\n`, feed)).toHaveProperty("says");
  });

  test("the shipped files and the examples take one more", () => {
    for (const path of ["", "examples/awesome-list/", "examples/leaderboard/", "examples/technology-radar/"]) {
      const text = readFileSync(`${path}sources.yaml`, "utf8");
      const [before, after] = [configOf(text), configOf(written(text))];
      expect([...after.sources.keys()]).toEqual([...before.sources.keys(), "new-one"]);
      expect(written(text).split("\n")).toEqual(expect.arrayContaining(text.split("\n")));
    }
  });
});

/** Any way to write sources. */
const entry = fc
  .tuple(
    fc.constantFrom("", "", "\n", "  # of this one\n", "\n  # two\n\n  # lines\n"),
    fc.constantFrom(
      (id: string) => ` { page: https://${id}.example/ }\n`,
      (id: string) => ` {page: "https://${id}.example/", title: 'T'} # c\n`,
      (id: string) => `\n    page: https://${id}.example/\n    cites: [1,\n      2]\n`,
      (id: string) => ` # c\n      feed: 'https://${id}.example/'\n      title: >-\n        many\n        words\n\n`,
      (id: string) => `\n    page: https://${id}.example/\n    claims:\n      x: { says: s, quote: q }\n    # end\n`,
    ),
  )
  .map(
    ([above, body]) =>
      (id: string) =>
        `${above}  ${id}:${body(id)}`,
  );
const file = fc
  .tuple(
    fc.constantFrom("\ufeff", ""),
    fc.array(entry, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "# end", "\n# next part\nlevels: []\n", "  # not yet\n\nnames: {}\n", "levels: []"),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([mark, entries, tail, eol]) => {
    const text = `${report}sources:\n${entries.map((one, i) => one(`s${i}`)).join("")}${tail}`;
    return mark + text.replaceAll("\n", eol);
  });

test("however sources are written: one is added, and every line of the others stays", () => {
  fc.assert(
    fc.property(file, (text) => {
      const after = written(text);
      let at = 0;
      while (at < text.length && text[at] === after[at]) at++;
      const rest = text.length - at;
      expect(after.slice(after.length - rest)).toBe(text.slice(at));
      if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      const [before, now] = [configOf(text), configOf(after)];
      expect([...now.sources.keys()]).toEqual([...before.sources.keys(), "new-one"]);
      for (const [id, source] of before.sources) expect(now.sources.get(id)).toEqual(source);
      expect(now.sources.get("new-one")).toMatchObject({ kind: "feed", title: "New: one", standsFor: [3, 4] });
    }),
    { numRuns: runs(100) },
  );
});

test("with any id of a source, the config holds it or nothing", () => {
  const pieces = fc.constantFrom(..."\"'\\:#-{}[]&*!|>%@`,?~=\n\r\t\0\u0085\u2028\u202e\ufeff \ud800😀é<a>".split(""));
  const words = fc.constantFrom(
    "true",
    "null",
    "1.5",
    "0x1f",
    "- a",
    "a: b",
    "a #b",
    "*a",
    "!!str x",
    "---",
    "...",
    "<<",
  );
  const title = fc.oneof(
    fc.string({ unit: anySign, maxLength: 60 }),
    fc.array(fc.oneof(pieces, words), { maxLength: 12 }).map((all) => all.join("")),
    fc.constant("x".repeat(5_000)),
  );
  const texts = [
    `${report}sources:\n  a:\n    page: https://a.example/\n`,
    `${report}sources:\n  a: { page: https://a.example/, title: "A" }\n`,
    `${report}sources:\n  a: { page: 'https://a.example/', title: 'A' }\n`,
    `${report}sources: {}\n`,
  ];
  fc.assert(
    fc.property(title, fc.constantFrom(...texts), (said, text) => {
      const named = titleFrom({ address: "https://new.example/" }, feedReader, { title: said });
      const keys: NewEntry["keys"] = [
        ["feed", "https://new.example/"],
        ...(named === undefined ? [] : [["title", named] as const]),
      ];
      const config = configOf(written(text, { id: "new-one", keys, comment: said }));
      expect(config.sources.get("new-one")?.title).toBe(named);
    }),
    { numRuns: runs(200) },
  );
});
