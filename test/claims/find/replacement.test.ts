import { describe, expect, test } from "vitest";
import { replacementOf } from "../../../src/claims/find/moved-passages.ts";
import type { Block } from "../../../src/model/reading.ts";

const text = (text: string, kind: Block["kind"] = "paragraph"): Block => ({ path: [], kind, text });
const page = (...texts: string[]) =>
  texts.map((one) => (one.startsWith("# ") ? text(one.slice(2), "heading") : text(one)));
const named = (passage: string, before: Block[], after: Block[]) => replacementOf(passage, before, after)?.text;

const before = page(
  "# Maps",
  "Maps are drawn from tiles.",
  "Every zoom level renders offline.",
  "# Limits",
  "At most 20 layers.",
);

describe("the block that took the place of a passage", () => {
  test("is between the same neighbours, in words that have nothing in common", () => {
    const after = page(
      "# Maps",
      "Maps are drawn from tiles.",
      "We fetch what is shown.",
      "# Limits",
      "At most 20 layers.",
    );
    expect(named("renders offline", before, after)).toBe("We fetch what is shown.");
  });

  test("is the last one or the first one too", () => {
    expect(named("20 layers", before, [...before.slice(0, 4), text("Ask us.")])).toBe("Ask us.");
    expect(named("Intro", page("Intro", "Then this."), page("Welcome", "Then this."))).toBe("Welcome");
  });

  test("of several is the one in its own turn", () => {
    const after = page("# Maps", "Maps come as vectors.", "We fetch what is shown.", "# Limits", "At most 20 layers.");
    expect(named("renders offline", before, after)).toBe("We fetch what is shown.");
  });

  test("is reported for a row only if it is a row", () => {
    const table = (...rows: string[]) => rows.map((row) => text(row, "row"));
    const rows = table("Memory | 512 GB", "Price | none", "Colour | red");
    expect(named("none", rows, table("Memory | 512 GB", "Fee | monthly", "Colour | red"))).toBe("Fee | monthly");
    expect(
      named(
        "none",
        rows,
        [rows[0], text("A note."), rows[2]].filter((row) => row !== undefined),
      ),
    ).toBeUndefined();
  });

  test.each([
    ["nothing came there", before.filter((_, i) => i !== 2)],
    ["its text was elsewhere before", [...before.slice(0, 2), ...before.slice(3)]],
    ["only a heading came", before.map((block, i) => (i === 2 ? text("Networks", "heading") : block))],
    ["more came than went", [...before.slice(0, 2), text("One."), text("Two."), text("Three."), ...before.slice(3)]],
    ["nothing on either side stayed", page("# Home", "Welcome.", "News.")],
    [
      "all of a long page is another one",
      [...before.slice(0, 1), ...page(...Array.from({ length: 20 }, (_, i) => `Line ${i}.`))],
    ],
  ])("is not reported if %s", (_, after) => {
    expect(named("renders offline", before, after)).toBeUndefined();
  });

  test("is not reported for a passage that was in no one block", () => {
    expect(named("tiles. Every zoom", before, before)).toBeUndefined();
  });
});
