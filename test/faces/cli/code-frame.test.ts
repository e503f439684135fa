import { describe, expect, test } from "vitest";
import { CodeFrames } from "../../../src/faces/cli/terminal.ts";

function frame(text: string | Uint8Array, line: number, column: number, width?: number): string[] {
  const frames = new CodeFrames([{ path: "sources.yaml", text }]);
  return frames.of({ file: "sources.yaml", line, column, message: "is wrong" }, width);
}

describe("the frame of a problem", () => {
  test("is its line, the one before, and a caret under the place", () => {
    expect(frame("sources:\n  a:\n    cite: [3]\n", 3, 5)).toEqual([
      "  2 │   a:",
      "  3 │     cite: [3]",
      "    │     ^",
    ]);
  });

  test("has one width for all line numbers", () => {
    expect(frame(`${"\n".repeat(8)}a: 1\nb: 2\n`, 10, 4)).toEqual(["   9 │ a: 1", "  10 │ b: 2", "     │    ^"]);
  });

  test("is under the place even if characters are two columns wide, or none", () => {
    const [line, caret] = frame("名前: é 🇩🇪 x\n", 1, "名前: é 🇩🇪 x".indexOf("x") + 1);
    expect(line).toBe("  1 │ 名前: é 🇩🇪 x");
    // Four columns of ideographs, a colon, a space, a letter with its accent, a space, a flag of two, a space.
    expect(caret).toBe(`    │ ${" ".repeat(4 + 2 + 2 + 3)}^`);
  });

  test("keeps to the terminal's width, with the place in it", () => {
    const text = `a: ${"x".repeat(300)} here ${"y".repeat(300)}`;
    const [line = "", caret = ""] = frame(text, 1, 305, 40);
    expect(line.length).toBeLessThanOrEqual(40);
    expect(line.slice(caret.length - 1)).toMatch(/^here/);
  });

  test("shows no secret, and points right behind one", () => {
    const [line = "", caret = ""] = frame("{ page: https://me:hunter2@example.org/, x: 1 }", 1, 42);
    expect(line).toBe("  1 │ { page: https://…@example.org/, x: 1 }");
    expect(line.slice(caret.length - 1)).toMatch(/^x: 1/);
  });

  test("shows characters that a terminal would obey as their numbers", () => {
    expect(frame("a: \u202ex\u001b[2J", 1, 1)[0]).toBe("  1 │ a: \\u{202e}x\\u{1b}[2J");
  });

  test("is left out if there is nothing to show", () => {
    expect(frame("", 1, 1)).toEqual([]);
    expect(frame("a: 1", 7, 1)).toEqual([]);
    expect(new CodeFrames([]).of({ file: "triggers/a.yaml", line: 1, column: 1, message: "is wrong" })).toEqual([]);
  });

  test("reads bytes and lines that end as on Windows", () => {
    expect(frame(new TextEncoder().encode("\ufeffa: 1\r\nb: 2\r\n"), 2, 4)).toEqual([
      "  1 │ a: 1",
      "  2 │ b: 2",
      "    │    ^",
    ]);
  });
});
