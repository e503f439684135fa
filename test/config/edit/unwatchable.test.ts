import { describe, expect, test } from "vitest";
import { withoutConditionsOn } from "../../../src/config/edit/condition.ts";
import { giveUpSources, leaveOutSources } from "../../../src/config/edit/unwatchable.ts";

/** Sources that are given up, in files that people may have written. */

const sources = `report: { title: Kites, audited: 2026-05-16 } # mine
documents: { night: { title: Night } }
sources:
  # looks frozen
  delta:
    page: https://delta.example/
    title: "Delta: a kite"
    cites: [1, 2]
    stands-for: [7]
    cited-by: [night]

  # stays
  box:
    page: https://box.example/ # a box

# the end
`;
const gone = { id: "delta", url: "https://delta.example/", because: "403" };

/** Of sources and products alike. */
function without(text: string, ids: ReadonlySet<string>): string | undefined {
  return withoutConditionsOn(text, { sources: ids, products: ids });
}

describe("leaving out sources", () => {
  const text = `report: { title: Kites }
# How releases count.
products:
  delta: { name: Delta }
  box: { name: Box }

sources:
  delta-releases: { github-releases: kites/delta, announces: delta }
  box: { github-releases: kites/box, announces: box }
`;
  const sources = new Set(["delta-releases"]);

  test("takes them out with their products, and with the last product the key", () => {
    const left = leaveOutSources(text, { sources, products: new Set(["delta"]) });
    expect(left).toBe(`report: { title: Kites }
# How releases count.
products:
  box: { name: Box }

sources:
  box: { github-releases: kites/box, announces: box }
`);
    expect(leaveOutSources(text.replace(/ {2}box: { name.*\n/, ""), { sources, products: new Set(["delta"]) })).toBe(
      "report: { title: Kites }\nsources:\n  box: { github-releases: kites/box, announces: box }\n",
    );
  });

  test("takes out conditions on a product by `release` alone", () => {
    const trigger = "name: Kites\non:\n  - change: delta\n  - release: delta\n";
    expect(withoutConditionsOn(trigger, { sources, products: new Set(["delta"]) })).toBe(
      "name: Kites\non:\n  - change: delta\n",
    );
  });
});

describe("giving up sources", () => {
  test("moves them with their comments and their citations, and leaves all else byte for byte", () => {
    expect(giveUpSources(sources, [gone])).toBe(`report: { title: Kites, audited: 2026-05-16 } # mine
documents: { night: { title: Night } }
sources:
  # stays
  box:
    page: https://box.example/ # a box

# the end

unwatchable:
  - title: "Delta: a kite"
    url: https://delta.example/
    cites: [1, 2, 7]
    cited-by: [night]
    because: "403"
`);
  });

  test("adds to a list that is there", () => {
    const listed = sources.replace("# the end\n", "unwatchable:\n  - { title: Talk, because: a film }\n# the end\n");
    expect(giveUpSources(listed, [gone])).toContain('because: a film }\n  - title: "Delta: a kite"\n');
  });

  test.each([
    ["the last source", sources, [gone, { ...gone, id: "box" }]],
    ["a source that is not there", sources, [{ ...gone, id: "kite" }]],
    ["in braces", "sources: { delta: { page: https://a.example/ }, box: { page: https://b.example/ } }\n", [gone]],
    ["a list in brackets", `${sources}unwatchable: [{ title: Talk, because: a film }]\n`, [gone]],
    ["what is not YAML", "sources: [", [gone]],
  ])("leaves %s as it is", (_, text, all) => {
    expect(giveUpSources(text, all)).toBeUndefined();
  });
});

describe("conditions on sources that are given up", () => {
  const trigger =
    "name: Kites\non:\n  - change: delta # soon\n  - link: box\n  - link: delta\nalso:\n  - link: delta\nask: Which?\n";

  test("go, and with the last of a list its key", () => {
    expect(without(trigger, new Set(["delta"]))).toBe("name: Kites\non:\n  - link: box\nask: Which?\n");
    expect(without(trigger, new Set(["delta", "box"]))).toBe("name: Kites\nask: Which?\n");
  });

  test("stay if none is on them, and if they are in brackets", () => {
    expect(without(trigger, new Set(["rokkaku"]))).toBe(trigger);
    expect(without("name: A\non: []\n", new Set(["delta"]))).toBe("name: A\non: []\n");
    expect(without("name: A\non: [{ link: delta }, { link: box }]\n", new Set(["delta"]))).toBeUndefined();
  });
});
