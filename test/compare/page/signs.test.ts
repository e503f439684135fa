import { expect, test } from "vitest";
import { contentOf } from "../../../src/compare/page/flaps.ts";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { Block, BlockKind } from "../../../src/model/reading.ts";
import { pageOf } from "../../../src/read/html/html.ts";

/** Brackets, operators and signs count as words in code, in signatures and in synopses; in prose, only operators and marks. */

const hour = 3_600_000;
const confirmAfter = 6 * hour;

const page = (kind: BlockKind, text: string): Block[] => [
  { path: [], kind: "heading", text: "The mill" },
  { path: ["The mill"], kind, text },
  { path: ["The mill"], kind: "paragraph", text: "It grinds what the cart brings." },
];

function edited(kind: BlockKind, before: string, after: string, kindAfter = kind) {
  const { memory } = comparePage(undefined, page(kind, before), { at: 0, confirmAfter });
  const once = comparePage(memory, page(kindAfter, after), { at: 24 * hour, confirmAfter });
  const twice = comparePage(once.memory, page(kindAfter, after), { at: 31 * hour, confirmAfter });
  const back = comparePage(twice.memory, page(kind, before), { at: 33 * hour, confirmAfter });
  expect([...back.changes, ...back.sightings]).toEqual([]);
  return {
    reported: twice.changes.map(({ change }) => [change.before?.text, change.after?.text]),
    ignored: once.noise.map(({ reason }) => reason),
  };
}

test.each<[string, BlockKind, string, string]>([
  ["an argument that is no longer optional", "paragraph", "mill grind [<stone>]", "mill grind <stone>"],
  ["an option that may be repeated", "code", "mill [-v]", "mill [-v]..."],
  ["a choice that became a list", "term", "--stone={hard|soft}", "--stone={hard,soft}"],
  ["an optional part of a signature", "term", "sift(flour[, mesh])", "sift(flour, mesh)"],
  ["another kind of bracket", "code", "sacks(1)", "sacks[1]"],
  ["an operator", "code", "sum = grain * price", "sum = grain / price"],
  ["another condition", "code", "if (wet || cold) stop()", "if (wet && cold) stop()"],
  ["a commit in data", "value", "mill.revision: 1f2e3d4c5b6a79880f1e", "mill.revision: 2f2e3d4c5b6a79880f1e"],
  ["a commit in a setting", "code", 'rev = "1f2e3d4c5b6a79880f1e"', 'rev = "2f2e3d4c5b6a79880f1e"'],
  ["a checksum in its cell", "row", "mill.zip | 1f2e3d4c5b6a79880f1e | 4 MB", "mill.zip | 2f2e3d4c5b6a79880f1e | 4 MB"],
  [
    "a checksum behind its function",
    "paragraph",
    "FROM mill@sha256:1f2e3d4c5b6a79880f1e",
    "FROM mill@sha256:2f2e3d4c5b6a79880f1e",
  ],
  ["a type in other brackets", "term", "List<Sack>", "List[Sack]"],
  ["an operator in prose", "paragraph", "The gap is width + depth.", "The gap is width - depth."],
  ["a product in a cell", "row", "gap | width × depth", "gap | width ÷ depth"],
  ["a relation in a list", "item", "a sack ∈ the cart", "a sack ∉ the cart"],
  ["a quantifier", "paragraph", "It holds that ∀ x: x turns.", "It holds that ∃ x: x turns."],
  ["a limit before a name", "paragraph", "Grind with speed ≤ limit.", "Grind with speed < limit."],
  ["less and more", "paragraph", "The heat of A < the heat of B.", "The heat of A > the heat of B."],
  ["an arrow between names", "heading", "Grain → flour", "Grain ← flour"],
  ["a mark of a note in a cell", "row", "Free | yes", "Free | yes*"],
  ["another mark of a note", "paragraph", "It is free† for bakers.", "It is free‡ for bakers."],
  ["the dashes of an option", "paragraph", "Start it with -dry first.", "Start it with --dry first."],
  ["a condition and its opposite", "paragraph", "if (!cold) grind();", "if (cold) grind();"],
  ["a condition with a sign before its name", "paragraph", "if (!$cold) grind();", "if ($cold) grind();"],
  ["a condition in braces", "paragraph", "{!cold && dry}", "{cold && dry}"],
  ["both and either", "paragraph", "if (hot && heavy) grind();", "if (hot || heavy) grind();"],
  ["so much more and so much less", "paragraph", "heat += cold;", "heat -= cold;"],
  ["a property that may be missing", "item", "heat?: number", "heat: number"],
  ["a condition in data", "value", "mill.rule: !cold", "mill.rule: cold"],
  ["a capital in code", "code", "mill -v grain", "mill -V grain"],
  ["a capital in a signature", "term", "mill.getGap()", "mill.GetGap()"],
  ["a star among arguments", "term", "grind(stone, *, gap)", "grind(stone, gap)"],
])("%s is reported", (_, kind, before, after) => {
  expect(edited(kind, before, after)).toEqual({ reported: [[before, after]], ignored: [] });
});

test.each<[string, BlockKind, string, string]>([
  ["quotes in code", "code", "grind('hard')", 'grind("hard")'],
  ["a comma behind the last entry in code", "code", "mill({ gap: 4, speed: 9 })", "mill({ gap: 4, speed: 9, })"],
  ["spaces in code", "code", "sum = grain*price", "sum = grain * price"],
  ["brackets in prose", "paragraph", "Read the manual (in the barn).", "Read the manual, in the barn."],
  ["the mark of a note", "paragraph", "It has stood since 1720 [1].", "It has stood since 1720 1."],
  ["a hash in an address", "paragraph", "See a.css?1f2e3d4c5b6a79880f1e", "See a.css?2f2e3d4c5b6a79880f1e"],
  [
    "a hash in the address of a cell",
    "row",
    "mill | /a/1f2e3d4c5b6a79880f1e.css",
    "mill | /a/2f2e3d4c5b6a79880f1e.css",
  ],
  [
    "a random name in data",
    "value",
    "id: 1f2e3d4c-5b6a-7988-0f1e-2d3c4b5a6978",
    "id: 2f2e3d4c-5b6a-7988-0f1e-2d3c4b5a6978",
  ],
  ["brackets of a term in words", "term", "Stone (hard)", "Stone hard"],
  ["an arrow at the end of a link", "item", "All about the mill →", "All about the mill"],
  ["a path in a menu", "paragraph", "Open Mill > Stone > Gap.", "Open Mill → Stone → Gap."],
  ["a path with other strokes", "paragraph", "Mill / Stone", "Mill » Stone"],
  ["dashes and bullets between words", "paragraph", "Mill - Stone | Gap", "Mill – Stone · Gap"],
  ["a dash before a word", "paragraph", "It is sold as -is here.", "It is sold as –is here."],
  ["hyphens of an option that do not break", "paragraph", "mill --dry-run", "mill ‑‑dry‑run"],
  ["spaces around an operator", "row", "gap | width*depth, x=3", "gap | width * depth, x = 3"],
  ["stars around a word", "paragraph", "It is *very* dry, **says** the miller.", "It is very dry, says the miller."],
  ["a bullet in the text", "item", "* dry grain", "• dry grain"],
  ["a line of signs", "paragraph", "Mill ==== Stone", "Mill Stone"],
  ["the query of an address", "paragraph", "See mill.html?a=b&c=d for more.", "See mill.html?a=c&c=e for more."],
  ["a sign that was escaped", "paragraph", "Salt&nbsp;mill", "Salt mill"],
  ["capitals in prose", "heading", "Rules of the Mill", "Rules of the mill"],
])("%s are not", (_, kind, before, after) => {
  expect(edited(kind, before, after)).toEqual({ reported: [], ignored: ["the same words"] });
});

test("an operator that changes for the second time is no return to an earlier text", () => {
  const [first = [], second = [], third = []] = ["*", "/", "-"].map((sign) =>
    page("code", `sum = grain ${sign} price`),
  );
  let { memory } = comparePage(undefined, first, { at: 0, confirmAfter });
  const seen = [second, second, third, third].flatMap((blocks, i) => {
    const check = comparePage(memory, blocks, { at: (i + 1) * 7 * hour, confirmAfter });
    memory = check.memory;
    return check.changes.map(({ change }) => change.after?.text);
  });
  expect(seen).toEqual(["sum = grain / price", "sum = grain - price"]);
});

test("a line of code that is a paragraph now, without its signs, has the same words", () => {
  const { reported, ignored } = edited("code", "mill [-v]", "mill -v", "paragraph");
  expect({ reported, ignored }).toEqual({ reported: [], ignored: ["the same words"] });
});

/** A page with pieces of code in its text. */
const written = (text: string) =>
  pageOf(`<main><h1>The mill</h1><p>${text}</p><table><tr><td>Rule</td><td>${text}</td></tr></table></main>`).blocks;

function rewritten(before: string, after: string) {
  const { memory } = comparePage(undefined, written(before), { at: 0, confirmAfter: 0 });
  return comparePage(memory, written(after), { at: 24 * hour, confirmAfter: 0 }).changes.length;
}

test.each([
  ["an operator", "Use <code>a &amp; b</code>.", "Use <code>a | b</code>."],
  ["a pattern", "Name <code>*.mill</code> files.", "Name <code>?.mill</code> files."],
  ["an assignment", "Set <code>gap = 3</code> first.", "Set <code>gap == 3</code> first."],
  ["a call", "Call <code>grind()</code>.", "Call <code>grind[]</code>."],
  ["a capital", "Set <code>MILL_GAP</code>.", "Set <code>mill_gap</code>."],
  ["a key", "Press <kbd>[</kbd> twice.", "Press <kbd>]</kbd> twice."],
  ["an output", "It prints <samp>{gap: 3}</samp>.", "It prints <samp>[gap: 3]</samp>."],
])("%s in a piece of code is reported", (_, before, after) => {
  expect(rewritten(before, after)).toBe(2);
});

test.each([
  ["a sign beside a piece of code", "Use <code>a &amp; b</code>, then go.", "Use <code>a &amp; b</code>; then go."],
  ["a longer piece of code", "Call <code>grind</code>(flour).", "Call <code>grind(flour)</code>."],
  ["the brackets of a call behind a name", "Call <code>grind</code>.", "Call <code>grind()</code>."],
  ["a piece of code that becomes plain text", "Call <code>grind()</code>.", "Call grind."],
])("%s is not reported", (_, before, after) => {
  expect(rewritten(before, after)).toBe(0);
});

test.each<[BlockKind, string, string]>([
  ["paragraph", "It grinds what the cart brings.", "3a77b53ac9b51af7"],
  ["row", "Stone | 4 MB", "644b75230d80a5db"],
  ["code", "grind stone", "44d2471b0ca0f387"],
  ["value", "mill.revision: 1f2e3d4c5b6a79880f1e", "d8efdad085612548"],
])("a %s without signs has the digest that earlier versions stored", (kind, text, digest) => {
  expect(contentOf([{ path: ["The mill"], kind, text }])).toBe(digest);
});

test.each([
  ["with line numbers", (code: string) => `<tr><td><pre>1\n2</pre></td><td><pre>${code}</pre></td></tr>`],
  ["below a heading", (code: string) => `<tr><th>Rule</th></tr><tr><td><pre>${code}</pre></td></tr>`],
])("an operator in a listing in a table %s is reported", (_, rows) => {
  const table = (code: string) => `Use it.<table>${rows(code)}</table>`;
  expect(rewritten(table("gap[1];\nspeed;"), table("gap(1);\nspeed;"))).toBe(2);
});
