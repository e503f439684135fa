import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Proof } from "../../../src/model/claim.ts";
import type { Evidence, Firing } from "../../../src/model/firing.ts";
import type { Block, Item } from "../../../src/model/reading.ts";
import { renderComment } from "../../../src/recheck/issue/comment.ts";
import { diffLines, quoteLines } from "../../../src/recheck/issue/differences.ts";
import { evidenceEntries } from "../../../src/recheck/issue/evidence.ts";
import { addressOf, groupTriggers, withPassage } from "../../../src/recheck/issue/question.ts";
import { at, byId, claim, claimAltered, config, evidence, firing, madePublic, source } from "../samples.ts";

const context = { config, link: () => undefined };
const shown = (more: Partial<Firing>): string => evidenceEntries([firing("tensor", "key", more)], context).join("");
const lines = (...changes: Change[]): string[] =>
  diffLines(changes.map((change) => evidence("tensor-docs", { change })));
const block = (text: string, path: readonly string[] = []) => ({ path, kind: "paragraph" as const, text });

describe("when it was seen", () => {
  const seen = at("2026-06-01T09:00:00Z");
  test.each([
    [30_000, "** · seen 2026-06-01 09:00 UTC"],
    [75 * 60_000, "seen 2026-06-01 09:00 UTC, confirmed 75 min later"],
    [6 * 3_600_000, "confirmed 6 h later"],
    [80 * 3_600_000, "confirmed 3 days later"],
  ])("and %i ms later confirmed", (later, words) => {
    expect(shown({ seen, fired: seen + later })).toContain(words);
  });

  test("and when it happened, if that was another day", () => {
    expect(shown({ seen, event: { key: "key", at: at("2026-05-28") } })).toContain(
      "· 2026-05-28, seen 2026-06-01 09:00 UTC",
    );
  });
});

test.each([0, 1])("of several sources of a release, the one with notes is shown, whichever was first (%i)", (first) => {
  const notes = { about: ["MPS"], paragraphs: ["MPS works"], more: 0 };
  const all = [evidence("tensor-docs"), evidence("loom-releases", { notes })];
  const sources = first === 0 ? all : all.toReversed();
  expect(shown({ evidence: sources })).toContain("Its notes mention the subject:\n````text\n  MPS works");
});

test.each([
  ["the tracker has closed", "The tracker has closed"],
  ["no build is left", "No build is left"],
  ["torchax has a release", "torchax has a release"],
  ["macOS has a release", "macOS has a release"],
])("%s: a sentence of config begins as one, the name of a thing stays as it is", (means, begins) => {
  const change: Change = { kind: "block", after: block("new") };
  const condition = { kind: "change", source: "tensor-docs", means } as const;
  expect(shown({ evidence: [evidence("tensor-docs", { change, condition })] })).toMatch(`**1. ${begins}** ·`);
});

test("an address that moved for good is beside the new one, fenced", () => {
  const change: Change = { kind: "link", to: "moved", address: "https://new.example/docs" };
  expect(shown({ evidence: [evidence("tensor-docs", { change })] })).toMatch(
    /```diff\n- https:\/\/tensor-docs\.example\/docs\n\+ https:\/\/new\.example\/docs\n```/,
  );
});

test("an address that is gone has the answer that says so", () => {
  const change: Change = { kind: "link", to: "gone", says: "404, not found" };
  expect(shown({ evidence: [evidence("tensor-docs", { change })] })).toMatch(/^\*\*1\..* · seen .* · 404, not found$/);
});

test("a page that is opened in a browser links to its pictures, if its pages are published", () => {
  const change: Change = { kind: "block", after: block("new") };
  const docs = source("tensor-docs", { options: { browser: true } });
  const published = { ...config, report: { ...config.report, pages: "https://pages.example/" }, sources: byId([docs]) };
  const entries = (from: typeof config) =>
    evidenceEntries([firing("tensor", "key", { evidence: [evidence("tensor-docs", { change })] })], {
      ...context,
      config: from,
    });
  expect(entries(published).join("")).toContain("[pictures](https://pages.example/sources/tensor-docs.html#pictures)");
  expect(entries({ ...published, sources: config.sources }).join("")).not.toContain("pictures");
  expect(entries({ ...config, sources: byId([docs]) }).join("")).not.toContain("pictures");
});

describe("a difference", () => {
  test("has an addition, a removal, or both sides", () => {
    expect(lines({ kind: "block", after: block("new") })).toEqual(["+ new"]);
    expect(lines({ kind: "block", before: block("old") })).toEqual(["- old"]);
    expect(lines({ kind: "fact", name: "price", before: "1", after: "2" })).toEqual(["- price: 1", "+ price: 2"]);
    expect(lines({ kind: "link", to: "gone" })).toEqual([]);
  });

  test("of an entry is that of its title and text", () => {
    const item = { id: "a", title: "Post" };
    const change: Change = {
      kind: "item-edited",
      before: { ...item, blocks: [block("one")] },
      item: { ...item, blocks: [block("two")] },
    };
    expect(lines(change)).toEqual(["- Post / one", "+ Post / two"]);
  });

  test("of an entry that is remembered without its text is that of the text above it", () => {
    const item = { id: "a", title: "v2.13.0", version: "v2.13.0", pre: false };
    const now = { ...item, blocks: [block("Notes")] };
    const edited = (before: Item): string[] => lines({ kind: "item-edited", before, item: now });
    expect(edited({ ...item, pre: true })).toEqual(["- v2.13.0 / pre-release", "+ v2.13.0"]);
    expect(edited({ ...item, title: "v2.13" })).toEqual(["- v2.13", "+ v2.13.0"]);
    expect(
      lines({
        kind: "item-edited",
        before: { ...item, title: "Kite", version: "1.4" },
        item: { ...now, title: "Kite", version: "1.5" },
      }),
    ).toEqual(["- Kite / 1.4", "+ Kite / 1.5"]);
    expect(edited(item)).toEqual(["- v2.13.0", "+ v2.13.0 / Notes"]);
  });

  test("is below its heading, shown once", () => {
    const path = ["Page", "Memory"];
    expect(lines({ kind: "block", after: block("a", path) }, { kind: "block", after: block("b", path) })).toEqual([
      "@@ Page › Memory @@",
      "+ a",
      "+ b",
    ]);
  });

  test("is reported twelve times at most", () => {
    const many = Array.from({ length: 14 }, (_, index): Change => ({ kind: "block", after: block(`line ${index}`) }));
    expect(lines(...many).slice(-2)).toEqual(["+ line 11", "  … and 2 more changes"]);
    expect(lines(...many.slice(1)).at(-1)).toBe("  … and 1 more change");
  });

  describe("of data", () => {
    const header = "instance | cpu | memory | hours";
    const row = (name: string, hours: number, of = header) =>
      ({ path: [], kind: "row", text: `${name} | 8 cores of a kite | 16 | ${hours}`, header: of }) as const;
    const wide = `${header}${" | and a column".repeat(12)}`;
    const wideRow = (name: string, hours: number) => ({
      ...row(name, hours, wide),
      text: `${row(name, hours).text}${" | with its value".repeat(12)}`,
    });
    const value = (text: string) => ({ path: [], kind: "value", text }) as const;
    const edit = (before: Block, after: Block): Change => ({ kind: "block", before, after });

    test("names what differs in a wide row, and shows a narrow one as a whole", () => {
      expect(lines(edit(wideRow("a1", 8_760), wideRow("a1", 1)))).toEqual(["- a1: … hours: 8760", "+ a1: … hours: 1"]);
      const [of, ...both] = lines(edit(row("a1", 8_760), row("a1", 1)));
      expect([of, both.join()]).toEqual([
        `  ${header}`,
        "- a1 | 8 cores of a kite | 16 | 8760,+ a1 | 8 cores of a kite | 16 | 1",
      ]);
    });

    test("names what differs in a long entry, and whose it is", () => {
      const entry = (phase: string) => value(`[9: a]: about: ${"kites ".repeat(40)}; latest: 9.1; phase: ${phase}`);
      expect(lines(edit(entry("maintained"), entry("ended")))).toEqual([
        "- [9: a]: … phase: maintained",
        "+ [9: a]: … phase: ended",
      ]);
    });

    test("in an entry without a name has a field that says which one it is", () => {
      const entry = (phase: string) =>
        value(`all[]: about: ${"kites ".repeat(40)}; channel-version: 9; phase: ${phase}`);
      expect(lines(edit(entry("maintained"), entry("ended")))).toEqual([
        "- all[]: channel-version: 9: … phase: maintained",
        "+ all[]: channel-version: 9: … phase: ended",
      ]);
    });

    test("is shown once if it is the same in many rows or entries", () => {
      const rows = ["a1", "a2", "a3"].map((name) => edit(row(name, 8_760), row(name, 1)));
      expect(lines(...rows, edit(row("a4", 2), row("a4", 3))).slice(3)).toEqual([
        "  likewise: a2, a3",
        "- a4 | 8 cores of a kite | 16 | 2",
        "+ a4 | 8 cores of a kite | 16 | 3",
      ]);
      const gains = [..."abcdefghij"].map((name): Change => ({ kind: "block", after: value(`${name}.pep: ${name}1`) }));
      expect(lines(...gains)).toEqual(["+ a.pep: a1", "  likewise: b, c, d, e, f, g and 3 more"]);
    });

    test("is the same for other hashes, and for the same words within a text", () => {
      const edits = [..."ab"].flatMap((name) => [
        edit(value(`${name}.sha: 1f2e3d4c5b6a7988${name}`), value(`${name}.sha: 2f2e3d4c5b6a7988${name}`)),
        edit(value(`${name}.file: ${name}-1.2.zip`), value(`${name}.file: ${name}-1.3.zip`)),
      ]);
      expect(lines(...edits)).toEqual([
        ...["- a.sha: 1f2e3d4c5b6a7988a", "+ a.sha: 2f2e3d4c5b6a7988a", "  likewise: b"],
        ...["- a.file: a-1.2.zip", "+ a.file: a-1.3.zip", "  likewise: b"],
      ]);
    });

    test("comes before more edits of one field if not all are shown", () => {
      const sizes = Array.from({ length: 20 }, (_, i) =>
        edit(value(`f${i}.size: ${i}`), value(`f${i}.size: ${i + 50}`)),
      );
      const version = edit(value("mill.version: 1"), value("mill.version: 2"));
      expect(lines(...sizes, version).slice(0, 4)).toEqual([
        ...["- f0.size: 0", "+ f0.size: 50", "- mill.version: 1", "+ mill.version: 2"],
      ]);
    });

    test("is its own if only its signs differ otherwise", () => {
      const edits = [edit(value("a.heat: 5"), value("a.heat: -5")), edit(value("b.heat: -5"), value("b.heat: 5"))];
      expect(lines(...edits)).toHaveLength(4);
    });

    test("is its own if the name changed, too", () => {
      const renamed = [edit(row("a1", 1), row("b1", 2)), edit(row("a2", 1), row("b2", 2))];
      expect(lines(...renamed)).toHaveLength(5);
    });

    test("keeps what came as a whole apart, also the values of one list", () => {
      const came = (text: string): Change => ({ kind: "block", after: value(text) });
      const texts = ["kites[a]: id: 1; size: 2", "kites[b]: id: 1; size: 2", "cuda[]: 12.8", "cuda[]: 13.0"];
      expect(lines(...texts.map(came))).toEqual(texts.map((text) => `+ ${text}`));
    });

    test("is counted as far as it is kept", () => {
      const many = Array.from({ length: 500 }, (_, i): Change => ({ kind: "block", after: block(`line ${i}`) }));
      expect(lines(...many).at(-1)).toBe("  … and at least 488 more changes");
    });
  });

  test("of long texts is cut at words, around what differs", () => {
    const text = (word: string) => `${"a ".repeat(300)}${word} ${"z ".repeat(300)}`.trim();
    const [before = "", after] = lines({ kind: "block", before: block(text("old")), after: block(text("new")) });
    expect(before).toMatch(/^- … (?:a )+old (?:z )+z … \(\d+ more characters\)$/);
    expect(after).toBe(before.replace("- ", "+ ").replace("old", "new"));
  });
});

test("a section that matched is shown in eight lines", () => {
  expect(quoteLines("one\n\n two \n")).toEqual(["  one", "  two"]);
  expect(quoteLines("line\n".repeat(10))).toEqual([...Array(8).fill("  line"), "  … and 2 more lines"]);
});

test("the same change under two conditions is shown once, with its section", () => {
  const change: Change = { kind: "block", before: block("old"), after: block("new") };
  const pieces: Evidence[] = [
    evidence("tensor-docs", { change }),
    evidence("tensor-docs", { change, part: "also", excerpt: "the section" }),
  ];
  const text = shown({ evidence: pieces });
  expect(text.split("- old")).toHaveLength(2);
  expect(text).toContain("````text\n  the section\n````");
});

test("four other sources are named, and the rest counted", () => {
  const sources = Array.from({ length: 12 }, (_, index) => source(`s${index}`, { title: `S${index}` }));
  const wide = { ...context, config: { ...config, sources: byId(sources) } };
  const text = evidenceEntries(
    [firing("tensor", "key", { evidence: sources.map(({ id }) => evidence(id)) })],
    wide,
  ).join("");
  expect(text).toContain("Also seen in S1; S2; S3; S4; and 7 more");
});

test("a firing without evidence, or of a source that config no longer has, is still shown", () => {
  expect(shown({ evidence: [] })).toContain("**1. `key`** · seen");
  expect(shown({ evidence: [evidence("gone-from-config")] })).toContain(
    "`gone-from-config` (no longer watched), new entry",
  );
});

test("a comment says of an awaited event no more than that it was seen", () => {
  const question = { ...context, trigger: "tensor", marker: "m", firings: [madePublic], claims: [] };
  const says = (...joined: Firing[]) => renderComment(question, joined, "w").split("\n\n")[1];
  const [lead] = madePublic.evidence;
  const again = { ...madePublic, event: { key: "again" } };
  const ended = { ...again, evidence: lead ? [{ ...lead, part: "until" as const, claim: "tensor-docs/bridge" }] : [] };
  expect(says(claimAltered)).toBe("A new event is against the report:");
  expect(says(claimAltered, ended)).toBe("2 new events are against the report:");
  expect(says(madePublic, again)).toBe("2 events that the report waits for were seen:");
  expect(says(claimAltered, madePublic)).toBe("2 new events are against the report, or the report waits for them:");
});

test("a link to a passage names all of it, or its first and last words; of a row only what one cell holds", () => {
  const page = "https://example.org/a#top";
  const to = (text: string, kind: "paragraph" | "row" = "paragraph") => withPassage(page, { path: [], kind, text });
  expect(to("one, two-three")).toBe("https://example.org/a#:~:text=one%2C%20two%2Dthree");
  expect(to(Array.from({ length: 60 }, (_, index) => index + 1).join(" "))).toBe(
    "https://example.org/a#:~:text=1%202%203%204,57%2058%2059%2060",
  );
  expect(to("Board 7 | Loom, Jig", "row")).toBe("https://example.org/a#:~:text=Board%207,Loom%2C%20Jig");
  expect(to(" ")).toBe(page);
  expect(to(Array.from({ length: 9_000 }, (_, index) => index).join(" "))).toMatch(/#:~:text=0%201%202%203,.*%20526$/);
  expect(to("x".repeat(9_000))).toBe(page);
});

test("a table's text about a claim is linked without the bars between its cells", () => {
  const change: Change = {
    kind: "claim",
    claim: "tensor-docs/cluster-only",
    from: "supported",
    to: "altered",
    after: "Tensor 7 | Loom",
  };
  const seen = firing("tensor", "key", { evidence: [evidence("tensor-docs", { part: "claim", change })] });
  const text = evidenceEntries([seen], { config, link: addressOf }).join("");
  expect(text).toContain("[open the passage](https://tensor-docs.example/docs#:~:text=Tensor%207,Loom)");
});

describe("the places where a proof was not found", () => {
  const missing = (after: string | undefined, proof: Proof) => {
    const change: Change = {
      kind: "claim",
      claim: "tensor-docs/alone",
      from: "not found",
      to: "not found",
      ...(after !== undefined && { after }),
    };
    const docs = source("tensor-docs", { claims: [claim("alone", "tensor-docs", { proof })] });
    const seen = firing("not-found", "key", {
      evidence: [evidence("tensor-docs", { part: "claim", claim: "tensor-docs/alone", change })],
    });
    return evidenceEntries([seen], { config: { ...config, sources: byId([docs]) }, link: addressOf }).join("");
  };

  test("is shown in a fence, cut, and linked without promising the passage", () => {
    const text = missing(`It ships on one board, says \`@you\`. ${"x".repeat(2_000)}`, {
      quote: "ships on two boards",
    });
    expect(text).toMatch(/The page has only:\n````text\n {2}It ships on one board, says `@you`\. xxx.*x…\n````$/);
    expect(text.length).toBeLessThan(1_700);
    expect(text).toContain("[open](https://tensor-docs.example/docs#:~:text=");
  });

  test("is what is there, if it should not be", () => {
    const text = missing("Notice of archival", { absent: "Notice of archival" });
    expect(text).toMatch(/is not there\. The page says:\n````text\n {2}Notice of archival\n````$/);
  });
});

describe("one edit in several entries", () => {
  const row = (before: string, after: string) =>
    evidence("tensor-docs", {
      change: { kind: "block", before: block(before, ["Boards"]), after: block(after, ["Boards"]) },
    });
  const altered = (before: string, after: string) =>
    evidence("tensor-docs", {
      part: "claim",
      claim: "tensor-docs/cluster-only",
      change: { kind: "claim", claim: "tensor-docs/cluster-only", from: "supported", to: "altered", before, after },
    });
  const entries = (...pieces: Evidence[][]) =>
    evidenceEntries(
      pieces.map((each, index) => firing("tensor", `key ${index}`, { evidence: each })),
      context,
    );
  const old = "Use Jig. It needs the cluster service. Ask for access.";
  const now = "Use Jig. It needs one machine. Ask for access.";

  test("is shown in the first, and named by its number in the others", () => {
    const [first, second, third] = entries(
      [row(old, now)],
      [altered("It needs the cluster service", "It needs one machine")],
      [row("Price 1", "Price 2"), altered(old, now)],
    );
    expect(first).toContain(
      "- Use Jig. It needs the cluster service. Ask for access.\n+ Use Jig. It needs one machine.",
    );
    expect(second).toMatch(/\nThe same edit as in 1\.$/);
    expect(third).toContain("\nThe same edit as in 1.\n````diff\n@@ Boards @@\n- Price 1\n+ Price 2\n````");
    expect(third).not.toContain("one machine");
  });

  test("is not shown again in the block of several, but words beside it are", () => {
    const claims = [
      altered("It does not cluster", "It clusters"),
      altered("Backups stop the server", "Backups run beside the server"),
    ].map((piece) => [piece]);
    const [before, since] = [
      "It does not cluster. Backups stop the server.",
      "It clusters since 4.1. Backups run beside the server.",
    ];
    const [, , third] = entries(...claims, [row(before, since)]);
    expect(third?.split("\n").slice(1)).toEqual([
      "The same edit as in 1, 2.",
      "````diff",
      "@@ Boards @@",
      "+ clusters since 4.1.",
      "````",
    ]);
    const [, , bare] = entries(...claims, [row(before, "It clusters. Backups run beside the server!")]);
    expect(bare?.split("\n").slice(1)).toEqual(["The same edit as in 1, 2."]);
  });

  test("is named by all their numbers, lowest first, if several entries show it", () => {
    const [, , third] = entries(
      [row("Price 1", "Price 2")],
      [row(old, now)],
      [row(old, now), row("Price 1", "Price 2")],
    );
    expect(third).toContain("The same edit as in 1, 2.");
  });

  test("is another if the same words changed elsewhere", () => {
    const [, second] = entries(
      [row("Board 7 | Jig", "Board 7 | Jig, Loom")],
      [row("Board 6 | Jig", "Board 6 | Jig, Loom")],
    );
    expect(second).toContain("- Board 6 | Jig\n+ Board 6 | Jig, Loom");
    const fact = (name: string) =>
      evidence("tensor-repo", { change: { kind: "fact", name, before: "no", after: "yes" } });
    expect(entries([fact("public")], [fact("archived")])[1]).toContain("+ archived: yes");
    const other = { ...row(old, now), source: "loom-blog" };
    expect(entries([row(old, now)], [other])[1]).toContain("- Use Jig.");
  });

  test("is not hidden if the entry before left it out", () => {
    const many = Array.from({ length: 13 }, (_, index) => row(`line ${index} is old`, `line ${index} is new`));
    const [, second] = entries(many, [row("line 12 is old", "line 12 is new"), row("line 0 is old", "line 0 is new")]);
    expect(second).toContain("+ line 12 is new");
    expect(second).toContain("The same edit as in 1.");
  });

  test("names a matching section, too", () => {
    const [first, second] = entries(
      [evidence("loom-blog", { excerpt: "Boards compile now." })],
      [evidence("loom-blog", { excerpt: "Boards compile now." })],
    );
    expect(first).toContain("````text\n  Boards compile now.\n````");
    expect(second).toMatch(/\nThe same passage as in 1\.$/);
  });
});

test("one event that several triggers ask about is one entry, unless other sources show it", () => {
  const blog = evidence("loom-blog", { seen: at("2026-07-10") });
  const pieces = [evidence("loom-releases"), blog];
  const also = pieces.map((piece) => ({ ...piece, part: "also" as const }));
  const groups = groupTriggers([
    firing("tensor", "loom 2.13.0", { evidence: pieces }),
    firing("vector", "loom 2.13.0", { evidence: also }),
    firing("vector", "loom 2.13.0", { evidence: [blog] }),
  ]);
  expect(groups.map(({ triggered }) => triggered?.map(({ trigger }) => trigger))).toEqual([
    ["tensor", "vector"],
    undefined,
  ]);
  expect(evidenceEntries(groups, context)[0]?.split("\n").slice(1)).toEqual(["Also seen in Loom blog"]);
});

describe("an entry's own address", () => {
  const linked = (url: string | undefined, from = "loom-releases") => {
    const item = { id: "a", title: "Loom 2.13.0", ...(url !== undefined && { url }) };
    const seen = firing("tensor", "key", { evidence: [evidence(from, { change: { kind: "item-added", item } })] });
    const list = () => "https://redirect.github.com/loom/loom/releases";
    return evidenceEntries([seen], { config, link: list }).join("").split(" UTC · ")[1];
  };
  const list = "(https://redirect.github.com/loom/loom/releases)";

  test.each([
    ["https://loom.example/2.13", `[open](https://loom.example/2.13) · [list]${list}`],
    [
      "https://github.com/loom/loom/releases/2",
      `[open](https://redirect.github.com/loom/loom/releases/2) · [list]${list}`,
    ],
    [
      "https://GitHub.com./loom/loom/issues/2",
      `[open](https://redirect.github.com/loom/loom/issues/2) · [list]${list}`,
    ],
    ["javascript:alert(1)", `[open]${list}`],
    ["https://you@evil.example/", `[open]${list}`],
    ["/2.13", `[open]${list}`],
    [undefined, `[open]${list}`],
  ])("%s", (url, links) => {
    expect(linked(url)).toBe(links);
  });
});
