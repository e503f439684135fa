import fc from "fast-check";
import { expect, test } from "vitest";
import { editLog, logLine } from "../../../src/config/edit/index.ts";
import { hostile } from "../../recheck/issue/hostile.ts";
import { rendered } from "../../recheck/issue/markdown.ts";

const at = Date.parse("2026-11-20T15:00:00Z");

test("a line holds the answer, the reason and the place", () => {
  const entry = { rating: "tpu/maturity", old: "Medium", at, issue: 12 };
  expect(logLine({ ...entry, level: "High", because: "it is public" })).toBe(
    "- 2026-11-20: tpu/maturity Medium → High, because it is public (#12)",
  );
  expect(logLine(entry)).toBe("- 2026-11-20: tpu/maturity Medium kept (#12)");
});

test("with any reason, a line is one item of a list and nothing else", () => {
  fc.assert(
    fc.property(hostile(), hostile(), (because, level) => {
      for (const line of [logLine({ rating: "a/b", old: "x", level, because, at })]) {
        const { kinds, html } = rendered(`${line}\n- next`);
        const inert = ["list", "listItem", "paragraph", "root", "text"];
        expect([...kinds].filter((kind) => kind !== "link" && kind !== "footnoteReference").sort()).toEqual(inert);
        expect(html).toEqual([]);
      }
    }),
    // A bare link took the backslashes of what ends it.
    {
      examples: [
        ["www.evil.example~~", "https://evil.example/x~~"],
        ["https://evil.example__", "(https://evil.example)_"],
      ],
    },
  );
});

test("a line goes below the last of its like, else to the end, and once", () => {
  const lines = ["- 2026-11-20: a Low kept", "- 2026-11-20: b Low kept"];
  expect(editLog(undefined, lines)).toBe(`# Log of reviews\n\n${lines.join("\n")}\n`);
  expect(editLog("# Changes\n\nText.", lines)).toBe(`# Changes\n\nText.\n\n${lines.join("\n")}`);
  const log = "# Log\r\n\r\n- 2026-05-16: all, kept\r\n\r\n## Older\r\n";
  const edited = `# Log\r\n\r\n- 2026-05-16: all, kept\r\n${lines.join("\r\n")}\r\n\r\n## Older\r\n`;
  expect(editLog(log, lines)).toBe(edited);
  expect(editLog(edited, lines)).toBe(edited);
  expect(editLog(edited, [...lines, "- 2026-11-21: c, kept"])).toContain(
    "b Low kept\r\n- 2026-11-21: c, kept\r\n\r\n## Older",
  );
});

test("nothing of a log is lost", () => {
  const texts = fc.array(fc.constantFrom("- 2026-01-02: x\n", "text\n", "\r\n", "# h", "- x"), { maxLength: 8 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join("");
      const line = "- 2026-11-20: a Low kept";
      const edited = editLog(text, [line]);
      expect(edited.split(/\r?\n/).filter((one) => one === line)).toHaveLength(1);
      let at = 0;
      for (const character of edited) if (text[at] === character) at++;
      expect(at).toBe(text.length);
      expect(editLog(edited, [line])).toBe(edited);
    }),
  );
});
