import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { escapeCommands } from "../../../src/faces/cli/print.ts";

describe("a printed line", () => {
  test.each([
    ["an escape of a terminal", "a\u001b[31mb", "a\\u001b[31mb"],
    ["a short escape of eight bits", "a\u009b31mb", "a\\u009b31mb"],
    ["a title of the window", "\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
    ["a return to the line's beginning", "safe\r::error::x", "safe\\u000d::error::x"],
    ["a turned direction", "\u202egnp.exe\u2069", "\\u202egnp.exe\\u2069"],
    ["what hides", "a\u200bb\ufeff\u00ad", "a\\u200bb\\ufeff\\u00ad"],
    ["a tag", "a\u{e0041}", "a\\udb40\\udc41"],
    ["half a character", "a\ud83d", "a\\ud83d"],
    ["a separator of lines", "a\u2028b\u2029c\u0085d", "a\\u2028b\\u2029c\\u0085d"],
    ["a command", "::set-output name=a::b", "\\u003a:set-output name=a::b"],
    ["one behind spaces", " \u00a0\u3000::error::x", " \u00a0\u3000\\u003a:error::x"],
    ["one on a later line", "a\n\n  ::error::x\n::x", "a\n\n  \\u003a:error::x\n\\u003a:x"],
    ["an old command, anywhere", "a ##[group]b ###[x]", "a #\\u0023[group]b ##\\u0023[x]"],
  ])("obeys nothing: %s", (_, text, shown) => {
    expect(escapeCommands(text)).toBe(shown);
    expect(escapeCommands(shown)).toBe(shown);
  });

  test.each(["  ✔ 81 sources checked in 41 s · a::b", "名前 👍🏽 é עברית", "#[x] ## [y]", "a\nb", ""])(
    "is as it was: %j",
    (text) => {
      expect(escapeCommands(text)).toBe(text);
    },
  );

  test("of a document in JSON says the same", () => {
    const told = { a: "\u001b[31m \u202e ##[group] \r\n::error::x \u{e0041} \ud83d \t\u007f" };
    for (const text of [JSON.stringify(told), JSON.stringify(told, null, 2)]) {
      expect(escapeCommands(text)).not.toMatch(/##\[|(?!\n)[\p{Cc}\p{Cf}]/u);
      expect(JSON.parse(escapeCommands(text))).toEqual(told);
    }
  });

  test("takes time in proportion to its length", () => {
    expect(escapeCommands(`${" ".repeat(200_000)}x${"\n".repeat(200_000)}`)).toHaveLength(400_001);
  });
});

test("nothing writes around it", () => {
  const around = globSync("src/**/*.ts").flatMap((file) =>
    (
      readFileSync(file, "utf8").match(
        /process\s*\.\s*std(?:out|err)\b|\bconsole\s*\.|\bstyleText\b|\bfd\s*:\s*[12]\b|\bwriteSync\(/g,
      ) ?? []
    ).map((what) => `${file}: ${what}`),
  );
  // What is installed may complain of its Node before anything of Recheck is loaded; scripts of pages have no process.
  expect(around.filter((one) => !one.startsWith("src/publish/margin-script.ts"))).toEqual([
    "src/faces/cli/print.ts: process.stdout",
    "src/faces/cli/print.ts: process.stderr",
  ]);
  const drawing = globSync("src/**/*.ts").filter((file) =>
    /(?:from |import\()"(?:listr2|pino)"/.test(readFileSync(file, "utf8")),
  );
  expect(drawing.filter((file) => !/import type .* from "pino"/.test(readFileSync(file, "utf8"))).toSorted()).toEqual([
    "src/faces/app/server.ts",
    "src/faces/cli/progress.ts",
    "src/faces/cli/start.ts",
  ]);
});
