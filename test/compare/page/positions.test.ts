import { describe, expect, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { Change } from "../../../src/model/change.ts";
import { pageOf } from "../../../src/read/html/html.ts";

/** What a text is added to is part of its name, even if the page has the same text elsewhere. */

const hour = 3_600_000;
const day = 24 * hour;
const confirmAfter = 6 * hour;

/** What the second check reports of an edit, and what the first one ignored, with the reason. */
function edited(before: string, after: string) {
  const [old, now] = [before, after].map((body) => pageOf(`<main><h1>The mill</h1>${body}</main>`).blocks);
  const { memory } = comparePage(undefined, old ?? [], { at: 0, confirmAfter });
  const once = comparePage(memory, now ?? [], { at: day, confirmAfter });
  const twice = comparePage(once.memory, now ?? [], { at: day + confirmAfter, confirmAfter });
  const later = comparePage(twice.memory, now ?? [], { at: 3 * day, confirmAfter });
  expect(later.changes).toEqual([]);
  const shown = (seen: readonly { readonly change: Change }[]) =>
    seen.flatMap(({ change }) =>
      change.kind === "block" ? [`${change.before?.text ?? "-"} → ${change.after?.text ?? "-"}`] : [],
    );
  return { reported: shown(twice.changes), labels: shown(once.noise.filter(({ reason }) => reason === "a label")) };
}

const since = "Deprecated since version 2.0.";
const functions = (...texts: readonly string[]) =>
  texts.map((text, i) => `<h2>${["grind", "sift", "weigh", "store"][i]}()</h2><p>${text}</p>`).join("");
const plans = (...priced: readonly string[]) =>
  priced
    .map((plan, i) => plan.split(": ").concat(`${i + 3} millers`))
    .map(([name, price, seats]) => `<h2>${name} plan</h2><p>${price}</p><ul><li>${seats}</li></ul>`)
    .join("");
const told = ["Grinds the grain.", "Sifts the flour.", "Weighs the sack.", "Stores the sack in the barn."] as const;
const [grinds, sifts, weighs, stores] = told;

describe("a text that the page has elsewhere, too, is reported", () => {
  test.each<[string, string, string, string[]]>([
    [
      "if another sentence gains it",
      functions(`${grinds} ${since}`, sifts, weighs),
      functions(`${grinds} ${since}`, `${sifts} ${since}`, weighs),
      [`${sifts} → ${sifts} ${since}`],
    ],
    [
      "if one of two sentences loses it",
      functions(`${grinds} ${since}`, `${sifts} ${since}`, weighs),
      functions(`${grinds} ${since}`, sifts, weighs),
      [`${sifts} ${since} → ${sifts}`],
    ],
    [
      "if one gains what another one loses, and a third one has it",
      functions(`${grinds} ${since}`, `${sifts} ${since}`, weighs, stores),
      functions(`${grinds} ${since}`, sifts, `${weighs} ${since}`, stores),
      [`${sifts} ${since} → ${sifts}`, `${weighs} → ${weighs} ${since}`],
    ],
    [
      "if a title loses its first word, and the page has both titles within other texts",
      "<h2>Grind meal</h2><p>Call grind meal, or meal alone.</p>",
      "<h2>Meal</h2><p>Call grind meal, or meal alone.</p>",
      ["Grind meal → Meal"],
    ],
    [
      "if two plans swap their prices",
      plans("Free: 0 €", "Pro: 9 €"),
      plans("Free: 9 €", "Pro: 0 €"),
      ["0 € → 9 €", "9 € → 0 €"],
    ],
    [
      "if a second entry of a list gains it",
      "<ul><li>Storage. Not in the free plan.</li><li>Sifting at night.</li><li>Carts.</li></ul>",
      "<ul><li>Storage. Not in the free plan.</li><li>Sifting at night. Not in the free plan.</li><li>Carts.</li></ul>",
      ["Sifting at night. → Sifting at night. Not in the free plan."],
    ],
    [
      "if three options gain what a synopsis has already",
      "<p>mill -n, --name=stone -o, --old=stone -r, --raw=stone</p><dl><dt>-n, --name</dt><dd>Names it.</dd><dt>-o, --old</dt><dd>The old one.</dd><dt>-r, --raw</dt><dd>Nothing else.</dd></dl>",
      "<p>mill -n, --name=stone -o, --old=stone -r, --raw=stone</p><dl><dt>-n, --name=stone</dt><dd>Names it.</dd><dt>-o, --old=stone</dt><dd>The old one.</dd><dt>-r, --raw=stone</dt><dd>Nothing else.</dd></dl>",
      ["-n, --name → -n, --name=stone", "-o, --old → -o, --old=stone", "-r, --raw → -r, --raw=stone"],
    ],
    [
      "if an entry has the name of one heading",
      "<h2>Grindstone</h2><p>Grinds.</p><h2>Parts</h2><ul><li>Water wheel</li><li>Mill race</li></ul><p>No more.</p>",
      "<h2>Grindstone</h2><p>Grinds.</p><h2>Parts</h2><ul><li>Water wheel</li><li>Grindstone</li><li>Mill race</li></ul><p>No more.</p>",
      ["- → Grindstone"],
    ],
    [
      "if a short one takes the place of another",
      "<h2>Linux</h2><p>Yes</p><h2>Windows</h2><p>No</p><h2>macOS</h2><p>Yes</p>",
      "<h2>Linux</h2><p>Yes</p><h2>Windows</h2><p>Yes</p><h2>macOS</h2><p>Yes</p>",
      ["No → Yes"],
    ],
  ])("%s", (_, before, after, reported) => {
    expect(edited(before, after).reported.toSorted()).toEqual(reported.toSorted());
  });
});

describe("but not", () => {
  const listed = (open: number) =>
    ["Grain", "Flour", "Bran", "Straw", "Husks"]
      .map(
        (name, i) =>
          `<h2>${name}</h2><p>It is ${name} of the last year.</p>${i < open ? "<p>Open in a window</p>" : ""}`,
      )
      .join("");

  test.each<[string, string, string]>([
    [
      "if the texts around it are in another order",
      functions(`${grinds} ${since}`, `${sifts} ${since}`, weighs),
      `<h2>weigh()</h2><p>${weighs}</p><h2>sift()</h2><p>${sifts} ${since}</p><h2>grind()</h2><p>${grinds} ${since}</p>`,
    ],
    [
      "if it is cut differently",
      functions(`${grinds} ${since}`, `${sifts} ${since}`, weighs),
      functions(`${grinds}</p><p>${since}`, `${sifts} ${since}`, weighs),
    ],
    [
      "if a space between its letters is missing",
      functions(`${grinds} Works with grindstones.`, `${sifts} Works with grind stones.`, weighs),
      functions(`${grinds} Works with grind stones.`, `${sifts} Works with grindstones.`, weighs),
    ],
  ])("%s", (_, before, after) => {
    expect(edited(before, after)).toEqual({ reported: [], labels: [] });
  });

  const both = "What are stones? (And what is sand?)";

  test.each<[string, string, string, string[]]>([
    ["if it comes to many places at once", listed(1), listed(5), Array(4).fill("- → Open in a window")],
    [
      "if it is only a few letters beside what was there",
      "<p>Take the path.</p><p>Copy</p><p>Cross the mill race.</p><p>Open the gate.</p>",
      "<p>Take the path.</p><p>Copy</p><p>Cross the mill race.</p><p>Copy</p><p>Open the gate.</p>",
      ["- → Copy"],
    ],
    [
      "if it repeats headings, as a list of contents does",
      `<p>All of the mill.</p><h2>The stones</h2><p>${grinds}</p><h2>The sieves</h2><p>${sifts}</p>`,
      `<p>All of the mill.</p><p>The stones</p><p>The sieves</p><h2>The stones</h2><p>${grinds}</p><h2>The sieves</h2><p>${sifts}</p>`,
      ["- → The sieves", "- → The stones"],
    ],
    [
      "if it repeats headings of several sentences",
      `<p>All of the mill.</p><h2>${both}</h2><p>${grinds}</p><h2>The sieves</h2><p>${sifts}</p>`,
      `<p>All of the mill.</p><p>${both}</p><p>The sieves</p><h2>${both}</h2><p>${grinds}</p><h2>The sieves</h2><p>${sifts}</p>`,
      ["- → The sieves", `- → ${both}`, `- → ${both}`],
    ],
  ])("%s: then it is a label", (_, before, after, labels) => {
    const { reported, labels: named } = edited(before, after);
    expect({ reported, labels: named.toSorted() }).toEqual({ reported: [], labels });
  });
});

describe("a heading below several others", () => {
  const parts = (heading: string) => functions(...told.slice(0, 3)).replaceAll("<p>", `${heading}<p>`);

  test("names a part of the layout: to come or go is no news", () => {
    const layout = parts("<h3>Description</h3>");
    const bare = parts("");
    expect(edited(layout, bare)).toEqual({ reported: [], labels: Array(3).fill("Description → -") });
    expect(edited(bare, layout).reported).toEqual([]);
    expect(edited(layout, layout.replace("<h3>Description</h3>", "")).reported).toEqual([]);
  });

  test("is news if it takes the place of another, says what is at its end, or is below one alone", () => {
    expect(edited(parts("<h3>Miller</h3>"), parts("<h3>Baker</h3>")).reported).toHaveLength(3);
    expect(edited(parts(""), parts("<h3>Deprecated</h3>")).reported).toHaveLength(3);
    expect(edited(functions(grinds), functions(grinds).replace("<p>", "<h3>Description</h3><p>")).reported).toEqual([
      "- → Description",
    ]);
  });
});
