import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { citationsOf } from "../../src/audit/cited.ts";
import { findingsOf } from "../../src/audit/findings.ts";
import { citationTasks } from "../../src/audit/tasks.ts";
import { findValue } from "../../src/claims/find/value.ts";
import { wordsOfBlocks } from "../../src/language/words.ts";
import type { Block } from "../../src/model/reading.ts";

/** What reports say with grouped numbers, units and ranges, and the pages that they cite, in eight locales. */
const locales = z
  .array(
    z.object({
      locale: z.string(),
      filler: z.string(),
      loosely: z.array(z.string()).default([]),
      statements: z.array(
        z.object({ there: z.string(), says: z.string(), wrong: z.string(), value: z.string(), other: z.string() }),
      ),
    }),
  )
  .parse(parse(readFileSync(join(import.meta.dirname, "figures.yaml"), "utf8")));

const address = "https://maker.example/page";

function pageOf({ filler, statements }: (typeof locales)[number]): Block[] {
  return statements.flatMap(({ there }, i): Block[] => [
    { path: ["Page", `Part ${"abcdefghijk"[i]}`], kind: "paragraph", text: there },
    { path: ["Page", `Part ${"abcdefghijk"[i]}`], kind: "paragraph", text: filler },
  ]);
}

/** All that an audit says of a report of one sentence. */
function audited(sentence: string, blocks: readonly Block[]): string[] {
  const text = `# Report\n\n${sentence} ([page](${address})).\n`;
  const [cited] = citationsOf([{ path: "report.md", text }]).cited;
  if (cited === undefined) throw new Error(`no citation in ${text}`);
  const page = { kind: "page", reading: { title: "Page", blocks } };
  const compared = citationTasks.contradicted({ sentences: cited.sentences, address, page });
  return findingsOf({ cited, kind: "page", compared }, 0, new Map()).map(({ says }) => says);
}

describe("70 statements in eight locales", () => {
  const all = locales.flatMap((locale) => locale.statements.map((one) => ({ ...one, blocks: pageOf(locale) })));

  test("accuses none of them", () => {
    expect(all).toHaveLength(70);
    expect(all.flatMap(({ says, blocks }) => audited(says, blocks))).toEqual([]);
  });

  test("accuses none of others that say it loosely", () => {
    const said = locales.flatMap((locale) => locale.loosely.map((says) => ({ says, blocks: pageOf(locale) })));
    expect(said.length).toBeGreaterThan(20);
    expect(said.filter(({ says, blocks }) => audited(says, blocks).length > 0).map(({ says }) => says)).toEqual([]);
  });

  test("finds at least 65 of them with one figure altered", () => {
    const lost = all.filter(({ wrong, blocks }) => audited(wrong, blocks).length === 0);
    expect(lost.length, lost.map(({ wrong }) => wrong).join("\n")).toBeLessThanOrEqual(5);
  });

  test("as claims, each with its own figure and with no other", () => {
    const held = (value: string, blocks: readonly Block[]) => findValue(wordsOfBlocks(blocks), { value }).status;
    expect(all.filter(({ value, blocks }) => held(value, blocks) !== "exact").map(({ value }) => value)).toEqual([]);
    expect(all.filter(({ other, blocks }) => held(other, blocks) === "exact").map(({ other }) => other)).toEqual([]);
  });
});
