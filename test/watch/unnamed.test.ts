import { describe, expect, test } from "vitest";
import type { ItemMemory } from "../../src/compare/items.ts";
import { unnamedIn } from "../../src/watch/announced-version.ts";
import { unnamedSays } from "../../src/watch/roster.ts";
import { configOf } from "../support/config-of.ts";

/** A source that announces, whose entries bear these names, the newest first; earlier ones are no longer listed. */
function found(
  tags: string,
  names: readonly string[],
  earlier: readonly string[] = [],
  titles: readonly string[] = [],
) {
  const config = configOf(
    `report: { title: R, audited: 2026-05-16 }
products: { mill: { name: Mill, tags: [${tags}] } }
sources: { s: { github-releases: acme/mill, announces: mill } }
`,
  );
  const source = config.sources.get("s");
  if (!source) throw new Error("no source");
  const tagged = [...names, ...earlier].map((name) => [name, { title: `About ${name}`, version: name, digest: "" }]);
  const titled = titles.map((title) => [title, { title, digest: "" }]);
  const items: ItemMemory = {
    known: Object.fromEntries([...tagged, ...titled]),
    window: [...names, ...titles],
    waiting: {},
  };
  const unnamed = unnamedIn(items, source, config);
  return unnamed && unnamedSays(unnamed, source, config);
}

const builds = (from: number, count: number) => Array.from({ length: count }, (_, i) => `b${from - i}`);

describe("a source that announces a product", () => {
  test("and whose entries name versions has nothing to report about them", () => {
    expect(found('"b{version}"', builds(10_003, 30))).toBeUndefined();
    expect(found('"b{version}"', ["nightly-1", ...builds(10_003, 3)])).toBeUndefined();
    expect(found('"b{version}"', [])).toBeUndefined();
  });

  test("and has never named a version of it", () => {
    expect(found('"v{version}"', builds(10_003, 3))).toBe(
      "names no version of mill so far; its newest entry is b10003: do its tags have another shape?",
    );
  });

  test("and declares no shape, or has titles alone", () => {
    expect(found("", ["mill_3"])).toContain("is mill_3: declare the shape of its tags as `tags` of the product");
    expect(found("", [], [], ["Grinder 3.0"])).toContain(
      "is Grinder 3.0: do its titles use another name of the product",
    );
    expect(found("", [], [], ["Mill 3.0", ...Array.from({ length: 30 }, (_, i) => `Story ${i}`)])).toBeUndefined();
  });

  test("and whose newest tags have its shape no longer", () => {
    const turned = [...Array.from({ length: 12 }, (_, i) => `mill-3.${12 - i}.0`), ...builds(9_999, 9)];
    const says = "names no version of mill any more, the last was 9999; its newest entry is mill-3.12.0";
    expect(found('"b{version}"', turned)).toBe(`${says}: do its tags have another shape?`);
    expect(found('"b{version}"', turned.slice(0, 12), ["b9998", "b9999"])).toBe(
      `${says}: do its tags have another shape?`,
    );
  });

  test("and that always had many other tags between its own", () => {
    const others = (at: number) => Array.from({ length: 9 }, (_, i) => `docs-${at}-${i}`);
    const mixed = [3, 2, 1].flatMap((at) => [...others(at), `b${at}`]);
    expect(found('"b{version}"', mixed)).toBeUndefined();
    expect(found('"b{version}"', [...others(5), ...others(6), ...others(7), ...mixed])).toContain("any more");
  });
});
