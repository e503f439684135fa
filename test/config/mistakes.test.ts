import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { testCases } from "../support/cases.ts";
import { sources, trigger } from "./valid.ts";

/** Mistakes that people make, one at a time in files that hold: all that is told of each, word by word. */

const now = Date.UTC(2026, 10, 22);

/** All that is told of `sources.yaml` and one trigger: each problem, or each warning where config holds. */
function toldOf(inSources: string | Uint8Array, inTrigger = trigger, path = "triggers/delta.yaml"): string[] {
  const parsed = parseConfig(
    [
      { path: "sources.yaml", text: inSources },
      { path, text: inTrigger },
    ],
    readers,
    now,
  );
  return parsed.config
    ? parsed.warnings.map((one) => `warning: ${formatProblem(one)}`)
    : parsed.problems.map(formatProblem);
}

/** The file with the lines behind `-` replaced by those behind `+`. */
function edited(text: string, edit: string): string {
  const lines = edit.split("\n");
  const of = (sign: string) =>
    lines
      .filter((line) => line[0] === sign)
      .map((line) => line.slice(2))
      .join("\n");
  const from = of("-");
  if (!text.includes(from)) throw new Error(`not in the text: ${from}`);
  return text.replace(from, () => of("+"));
}

/** A problem has its place, and no secret. */
function shown(problems: readonly string[]): string {
  for (const one of problems) {
    expect(one).toMatch(/^(?:warning: )?(?:sources|triggers\/delta)\.yaml:\d+:\d+ {2}\S/);
    expect(one).not.toMatch(/hunter2|ghp_|XXXX/);
  }
  expect(problems).not.toEqual([]);
  return problems.join("\n");
}

describe("a mistake in sources.yaml", () => {
  testCases(join(import.meta.dirname, "mistakes-in-sources.txt"), (edit) => shown(toldOf(edited(sources, edit))));
});

describe("a mistake in a trigger", () => {
  testCases(join(import.meta.dirname, "mistakes-in-triggers.txt"), (edit) =>
    shown(toldOf(sources, edited(trigger, edit))),
  );
});

describe("a mistake in config", () => {
  const misspelt = sources.replace("cites: [3]", "cite: [3]");
  const cite = 'sources.yaml:26:5  unknown key "cite" in source "spar-releases"; did you mean "cites"?';
  test.each<[what: string, text: string | Uint8Array, told: string]>([
    ["lines as Windows ends them", misspelt.replaceAll("\n", "\r\n"), cite],
    ["a mark of byte order", `\ufeff${misspelt}`, cite],
    [
      "a mark of byte order, before the mistake",
      `\ufeff${sources.replace("report:", "reprot:")}`,
      'sources.yaml:1:1  unknown key "reprot" in sources.yaml; did you mean "report"?',
    ],
    [
      "another encoding",
      new Uint8Array(Buffer.from(sources.replace("Limits", "Gr\u00fcn"), "latin1")),
      "sources.yaml:45:14  not UTF-8 from here on; save the file as UTF-8",
    ],
    [
      "a space that cannot break",
      sources.replace("every: 2h", "every:\u00a02h"),
      "sources.yaml:32:11  this looks like a space, but YAML does not read it as one (U+00A0); type a plain space",
    ],
    ["an empty file", "", "sources.yaml:1:1  sources.yaml needs keys with values; this is empty"],
  ])("%s", (_, text, told) => {
    expect(toldOf(text)).toContain(told);
  });

  test.each([
    ["triggers/delta.yml", 'triggers/delta.yml:1:1  config files end in .yaml; did you mean "triggers/delta.yaml"?'],
    ["sources.yml", 'sources.yml:1:1  config files end in .yaml; did you mean "sources.yaml"?'],
    [
      "triggers/Delta Kite.yaml",
      `triggers/Delta Kite.yaml:1:1  "Delta Kite" is not an id: lower-case letters and digits, not only digits, in words joined by hyphens; it is the trigger's id; did you mean "triggers/delta-kite.yaml"?`,
    ],
    [
      "triggers/claims.yaml",
      'triggers/claims.yaml:1:1  a trigger cannot be called "claims": a built-in trigger has this name',
    ],
  ])("a file that is called %s", (path, told) => {
    expect(toldOf(sources, trigger, path)).toEqual([told]);
  });
});
