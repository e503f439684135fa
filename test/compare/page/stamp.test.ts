import { describe, expect, test } from "vitest";
import { withoutStamps } from "../../../src/compare/page/text.ts";
import type { Block } from "../../../src/model/model.ts";

const block = (text: string, kind: Block["kind"] = "paragraph"): Block => ({ path: [], kind, text });
const prose = block(
  "The manual says here, in more than one hundred and twenty characters, what the engine is good for and where it ends for good.",
);

/** Where a line is taken for a build stamp: nowhere, below everything else, or wherever it stands. */
function stamped(line: Block): "nowhere" | "below" | "anywhere" {
  const above = !withoutStamps([line, prose, prose]).includes(line);
  const below = !withoutStamps([prose, prose, line, block("Edit this page")]).includes(line);
  expect(above && !below).toBe(false);
  return above ? "anywhere" : below ? "below" : "nowhere";
}

describe("a line", () => {
  test.each<[string, "nowhere" | "below" | "anywhere"]>([
    ["Generated on 2026-06-03 10:11:12 UTC", "anywhere"],
    ["Generated on Wed Jun 3 2026 10:11:12 for Engine by doxygen 1.9.8", "anywhere"],
    ["This page was automatically generated on 3 June 2026.", "anywhere"],
    ["Built with Sphinx on June 3, 2026", "anywhere"],
    ["Build date: 2026-06-03", "anywhere"],
    ["Created On: Mar 2, 2025 | Last Updated On: Jun 3, 2026", "anywhere"],
    ["Page last modified: 03/06/2026 14:03", "anywhere"],
    ["Last updated: 2026-06-03T10:00:12Z", "anywhere"],
    ["Last updated on 3 June 2026.", "below"],
    ["Last updated 2026-06-03 UTC.", "below"],
    ["Updated June 3, 2026 by Jane Doe", "below"],
    ["Last modified June 3, 2026: Mend the link to the guide (#2150) (1a2b3c4)", "anywhere"],
    ["Last modified June 3, 2026: the figures of section 2 (all of them)", "below"],
    ["© Copyright 2021, The Kite Company. Last updated on Jun 08, 2021.", "below"],
    ["© 2021 The Kite Company. All rights reserved. (Last updated: 2021-06-08)", "below"],
    ["© 2021 The Kite Company. Built with Sphinx on June 3, 2026.", "anywhere"],
    ["© 2021 The Kite Company. Last updated and effective 3 June 2026", "nowhere"],
    ["Effective date: 3 June 2026", "nowhere"],
    ["Last updated and effective 3 June 2026", "nowhere"],
    ["Valid from 3 June 2026, updated 5 June 2026", "nowhere"],
    ["Last reviewed on 3 June 2026", "nowhere"],
    ["Version 2.13 released on 3 June 2026", "nowhere"],
    ["Built with CUDA 12.4", "nowhere"],
    ["Build 26A5279 of 3 June 2026", "nowhere"],
    ["Wheels updated 3 June 2026", "nowhere"],
    ["Support was updated on 3 June 2026 to include Windows.", "nowhere"],
    ["The figures were generated from runs on 3 June 2026.", "nowhere"],
  ])("%s", (text, where) => {
    expect(stamped(block(text))).toBe(where);
  });

  test("of a table, or a heading, is none", () => {
    expect(stamped(block("Last updated | 3 June 2026", "row"))).toBe("nowhere");
    expect(stamped(block("Updated 3 June 2026", "heading"))).toBe("nowhere");
  });

  test("above a text of short lines dates it", () => {
    const short = ["Last updated on 3 June 2026", "Linux", "Windows", "Mac"].map((text) => block(text, "item"));
    expect(withoutStamps(short)).toEqual(short);
  });
});
