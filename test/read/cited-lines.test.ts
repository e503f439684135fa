import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLines } from "../../src/read/shared/cited-lines.ts";

const file = `import { open } from "../../src/faces/app/repository.ts";

/** Counts the birds of a marsh. */
export function countBirds(marsh: Marsh): number {
  let count = 0;
  for (const bird of marsh.birds) {
    if (bird.isAwake) count += 1;
  }
  return count;
}

/** The limit of one count. */
export const maxBirds = 1_000;

export function openMarsh(name: string): Marsh {
  return open(name, { limit: maxBirds });
}
`;
const edited = (from: string, to: string) => file.replace(from, () => to);
const count = { from: 4, to: 10 };

describe("cited lines of a file are", () => {
  test("the same if other lines below them change", () => {
    expect(findLines(file, edited("1_000", "2_000"), count)).toEqual({ state: "same" });
    expect(findLines(file, file.replaceAll("\n", "\r\n"), count)).toEqual({ state: "same" });
  });

  test("moved by lines above them, or to another place", () => {
    expect(findLines(file, `// Marshes\n// and birds\n${file}`, count)).toEqual({
      state: "moved",
      at: { from: 6, to: 12 },
    });
    const lines = file.split("\n");
    const last = [...lines.slice(0, 2), ...lines.slice(10, -1), "", ...lines.slice(2, 10), ""].join("\n");
    expect(findLines(file, last, count)).toMatchObject({ state: "moved", at: { from: 12, to: 18 } });
    const wrapped = edited(
      file.slice(file.indexOf("export function countBirds"), file.indexOf("\n\n/** The limit")),
      `namespace a {\n${file.slice(file.indexOf("export function countBirds"), file.indexOf("\n\n/** The limit")).replace(/^/gm, "  ")}\n}`,
    );
    expect(findLines(file, wrapped, count)).toEqual({ state: "moved", at: { from: 5, to: 11 } });
  });

  test("gone, and not moved to lines that were like them before", () => {
    const one = "function f() {\n  lock.acquire();\n  return 1;\n}\n";
    const other = "function g() {\n  lock.acquire();\n  return 2;\n}\n";
    const before = `${one}${other}`;
    expect(findLines(before, before.replace("  lock.acquire();\n", ""), { from: 2, to: 2 })).toEqual({ state: "gone" });
  });

  test("changed if some of them are edited, added or removed", () => {
    expect(findLines(file, edited("count += 1", "count += 2"), count)).toEqual({ state: "changed", at: count });
    expect(findLines(file, edited("  return count;", "  log(count);\n  return count;"), count)).toEqual({
      state: "changed",
      at: { from: 4, to: 11 },
    });
    expect(findLines(file, edited("  let count = 0;\n", ""), count)).toEqual({
      state: "changed",
      at: { from: 4, to: 9 },
    });
    expect(findLines(file, edited("maxBirds = 1_000", "maxBirds = 5_000"), { from: 13, to: 13 })).toEqual({
      state: "changed",
      at: { from: 13, to: 13 },
    });
  });

  test("gone if nothing like them is there", () => {
    const without = edited(file.slice(file.indexOf("/** The limit"), file.indexOf("export function openMarsh")), "");
    expect(findLines(file, without, { from: 12, to: 13 })).toEqual({ state: "gone" });
    expect(findLines(file, "export {};\n", count)).toEqual({ state: "gone" });
  });

  test("unknown if they say nothing, or there is too much to compare", () => {
    expect(findLines(file, "x\n", { from: 2, to: 2 })).toEqual({ state: "unknown" });
    expect(findLines(file, "x\n".repeat(60_000), count)).toEqual({ state: "unknown" });
  });

  test("found again if lines are added around them", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "{"), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (above, below) => {
        const now = findLines(file, [...above, ...file.split("\n"), ...below].join("\n"), count);
        expect(now).toEqual(
          above.length === 0
            ? { state: "same" }
            : { state: "moved", at: { from: 4 + above.length, to: 10 + above.length } },
        );
      }),
    );
  });
});
