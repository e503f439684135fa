import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../src/compare/page/text.ts";
import { runs } from "../../support/runs.ts";

/** Pieces of text in which each rule of `wordsOf` has something to do. */
const pieces = [
  ..."aBz019 \t\n'&?#+-=<>$%/.,!()[]".split(""),
  "  ",
  "deadbeef0123456789",
  "f0-",
  "&amp;",
  "&#39;",
  "x?q=1",
  "C++",
  "< 5",
  "=  , 5",
  "(c) 2024",
  "copyright 2024-2026",
  "3 days ago",
  "an hour ago",
  "today",
  "vor 3 tagen",
  "12 views",
  "1.2k likes",
  "loading",
  " | ",
  " |",
  "<=",
  "!=",
  "/tmp/tmpab12cd34/",
  "a.b@1f2e3d4c",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(""));

describe("words of a text", () => {
  it("do not depend on a letter beyond ASCII in it", () => {
    fc.assert(
      fc.property(text, (start) => {
        expect(wordsOf(`${start} é`).replace("é", "e")).toBe(wordsOf(`${start} e`));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it.each([
    ["bits and bytes", "It carries 400 Gb/s.", "It carries 400 GB/s."],
    ["bits and bytes in short", "16 Mbps each", "16 MBps each"],
    ["a figure and that or more", "Python 3.9+ works.", "Python 3.9 works."],
    ["at least and at most", "Python >= 3.9", "Python <= 3.9"],
    ["at least and exactly", "anvil>=1.20", "anvil==1.20"],
    ["about and exactly", "anvil~=1.20", "anvil==1.20"],
    ["equal and unequal", 'heat.mode == "fast"', 'heat.mode != "fast"'],
    ["less and more", "The heat of A < the heat of B.", "The heat of A > the heat of B."],
    ["stars in a cell", "Anvil | ★★★☆☆", "Anvil | ★★★★☆"],
    ["circles in a cell", "Anvil | ● | ○", "Anvil | ○ | ●"],
    ["colours in a cell", "Anvil | 🟢", "Anvil | 🔴"],
    ["pluses in a cell", "Anvil | ++ | yes", "Anvil | + | yes"],
    ["plus and minus in a cell", "Anvil | + | -", "Anvil | - | +"],
    ["what is known and what is not", "Anvil | ? | yes", "Anvil | - | yes"],
    ["the columns of a mark", "Anvil | x | ", "Anvil |  | x"],
    ["a power and a figure", "10⁶ blows", "106 blows"],
    ["a power and a part", "10⁶ blows", "10⁻⁶ blows"],
    ["a loss and a gain", "Anvil | −5 %", "Anvil | 5 %"],
    ["about so much and so much", "It takes ~20 ms.", "It takes 20 ms."],
    ["colours before a word", "🟢 Forge", "🔴 Forge"],
    ["colours behind one", "Anvil | 🟢 hot", "Anvil | 🔴 hot"],
    ["thumbs", "Heat: 👍", "Heat: 👎"],
  ])("distinguish %s", (_, one, other) => {
    expect(wordsOf(one)).not.toBe(wordsOf(other));
  });

  it("count no crowd, and say how many stars were given", () => {
    expect(wordsOf("12.3k stars")).toBe(wordsOf("12.4k stars"));
    expect(wordsOf("1,204 forks")).toBe(wordsOf("1,391 forks"));
    expect(wordsOf("Kite | 4 stars")).not.toBe(wordsOf("Kite | 3 stars"));
  });

  it("are the same in small letters if these mean nothing else", () => {
    expect(wordsOf("It holds 400 gb, or 400 mib.")).toBe(wordsOf("It holds 400 GB, or 400 MiB."));
    expect(wordsOf("one + two")).toBe(wordsOf("one two"));
  });

  it.each([
    ["a comparison in code and in print", "Python >= 3.9", "Python ≥ 3.9"],
    ["a cell with a dash and an empty one", "Anvil | – | yes", "Anvil |  | yes"],
    ["cells that are empty behind the last one", "Anvil | yes | - | ", "Anvil | yes"],
    ["ticks of two fonts in a cell", "Anvil | ✔", "Anvil | ✅"],
    ["decoration around a word", "Anvil | 🎉 yes", "Anvil | yes"],
    ["a path in a menu", "Settings > Heat", "Settings → Heat"],
    ["a call with more stress", "Strike while it is hot!", "Strike while it is hot."],
    ["an exclamation in brackets", "[!NOTE] Cold.", "[NOTE] Cold."],
    ["a comparison with spaces and without", "if (a<b) strike();", "if (a < b) strike();"],
    ["a tag within a tag", "Map<String, List<Anvil>>", "Map <String, List <Anvil>>"],
    ["a tag that is spelled out", "List<Anvil>", "List <Anvil>"],
    ["a power by its sign", "10^6 blows", "10⁶ blows"],
    ["two commands in a line and in two", "cd forge && make", "cd forge make"],
    ["an empty cell and a bar", "Anvil ||| hot", "Anvil | hot"],
    ["a norm of two fonts", "the norm ||x|| of it", "the norm ‖x‖ of it"],
    ["a line of signs", "-=-=- Forge -=-=-", "Forge"],
    ["a minus of two fonts", "Anvil | −5 %", "Anvil | -5 %"],
    ["a folder of somebody's own", "in ~/forge", "in /forge"],
  ])("are the same for %s", (_, one, other) => {
    expect(wordsOf(one)).toBe(wordsOf(other));
  });

  it.each([
    ["/tmp/ipykernel_4284/750426907.py:2: The anvil is cold.", "/tmp/ipykernel_99/1142.py:2: The anvil is cold."],
    ["Reading `/tmp/RtmpI0WOGO/anvils.shp'", "Reading `/tmp/RtmpD2UDa5/anvils.shp'"],
    ["opened /tmp/tmpk3_x9q2a/anvil.db", "opened /tmp/tmp0d81yzzq/anvil.db"],
    [
      "/lib/site-packages/anvil/heat.py:1279: ColdWarning: It is cold.",
      "/lib/site-packages/anvil/heat.py:1265: ColdWarning: It is cold.",
    ],
    ["org.forge.Heat$$$Lambda$197/106727362@65668b9e", "org.forge.Heat$$$Lambda$20/20304@3e9d43a8"],
    ["heat: $$Lambda$14799/1648981166@3e76afd3", "heat: $$Lambda$14010/1467815717@7ab82736"],
    ["res0: Heat[Int] = org.forge.Heat$$anon$1@4570a233", "res0: Heat[Int] = org.forge.Heat$$anon$1@2b160e0a"],
  ])("leave out what a run of an example made up for itself: %s", (one, other) => {
    expect(wordsOf(one)).toBe(wordsOf(other));
  });

  it.each([
    ["listens on /tmp/anvil.sock", "listens on /tmp/forge.sock"],
    ["/tmp/ipykernel_4284/750426907.py:2: The anvil is cold.", "/tmp/ipykernel_99/1142.py:7: The anvil is cold."],
    ["write to makers@1f2e3d.example", "write to makers@4a5b6c.example"],
    ["uses: forge/heat@1f2e3d4c", "uses: forge/heat@2b160e0a"],
    ["git+https://forge.example/heat.git@1f2e3d4c", "git+https://forge.example/heat.git@2b160e0a"],
    ["org.forge.Heat@1f2e3d4c", "org.forge.Cold@1f2e3d4c"],
  ])("keep what an author wrote: %s", (one, other) => {
    expect(wordsOf(one)).not.toBe(wordsOf(other));
  });

  it("are the same when they are asked for again, and after much else was", () => {
    const asked = Array.from({ length: 300 }, (_, i) => `Text ${i}, ${"with many words ".repeat(600)}`);
    const first = asked.map(wordsOf);
    expect(asked.map(wordsOf)).toEqual(first);
    expect(new Set(first).size).toBe(300);
    expect(first[7]?.startsWith("text 7 with many words with")).toBe(true);
  });
});
