import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { type InitOptions, initCommand } from "../../../../src/faces/cli/init/index.ts";
import { WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import { twoTables } from "../../../support/two-tables.ts";
import { type LocalWeb, openWeb, page, prose } from "../add/web.ts";

/** The question about tables: what is asked at a terminal, and what each answer drafts. */

const report = `${twoTables}
The [guide](http://fine.example/guide) compares them.
`;

let web: LocalWeb;
let folder: string;
beforeAll(async () => {
  web = await openWeb({ "fine.example/guide": page("Fine", "", `<h1>Fine</h1>${prose("kites")}`) });
});
afterAll(() => web.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-tables-"));
  writeFileSync(join(folder, "report.md"), report);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function init(options: InitOptions = {}, answers?: readonly string[]) {
  const lines: string[] = [];
  const asked: string[] = [];
  const left = [...(answers ?? [])];
  const line = (text = "") => void lines.push(text);
  const ask = async (question: string) => {
    asked.push(question);
    return left.shift() ?? "";
  };
  const origin = () => web.origin;
  const settings = {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => Date.UTC(2026, 10, 20) },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin, pause: 0 },
  };
  const terminal = {
    live: false,
    paint: (_: unknown, text: string) => text,
    line,
    note: line,
    ...(answers && { ask }),
  };
  await initCommand(join(folder, "report.md"), settings, { dryRun: true, ...options }, terminal);
  return { out: lines.join("\n"), asked };
}

const rated = async (options: InitOptions, answers?: readonly string[]) =>
  /address(?:es)?; (.*?;)/.exec((await init(options, answers)).out)?.[1];

const doubtful = "shops-shop-open-phone";

describe("a report with a table that may rate", () => {
  test("lists the candidates at a terminal, three lines each, best first", async () => {
    const { out, asked } = await init({}, [""]);
    expect(out.split("\n").slice(0, 9).join("\n")).toBe(`
  Which of these tables rate? Only those whose cells judge something do.
  1  report.md: Kites of today: 6 ratings (High, Low, Medium); rates: several columns of levels
       Kite | Flies | Lifts
       Delta | High | Low
  2  report.md: Shops: 3 ratings (Yes, No); doubtful: its yes and no may be facts
       Shop | Open | Phone
       North | Yes | 1 23
`);
    expect(asked).toEqual(["Numbers, all or none (Enter: only 1):"]);
  });

  test.each<readonly [string, readonly string[], string]>([
    ["Enter", [""], "6 ratings (Low, Medium, High);"],
    ["none", ["none"], "0 ratings;"],
    ["a number", ["2"], "3 ratings (No, Yes);"],
    ["a word that is no number, and then one", ["the second", "7", "1"], "6 ratings (Low, Medium, High);"],
    ["only nonsense", ["?", "?", "?", "2"], "6 ratings (Low, Medium, High);"],
  ])("drafts by the answer: %s", async (_, answers, ratings) => {
    expect(await rated({}, answers)).toBe(ratings);
  });

  test("lists the possible answers, after one that is none", async () => {
    const { out, asked } = await init({}, ["1, 9", "1"]);
    expect(out).toContain('Please answer with numbers from 1 to 2, such as "1" or "1, 2"; or with "all" or "none".');
    expect(asked).toHaveLength(2);
  });

  test("names the tables in the command that writes the draft", async () => {
    const { out } = await init({}, ["2"]);
    expect(out.split("\n").at(-1)).toContain(` --table ${doubtful}  writes it`);
    expect((await init({}, [""])).out.split("\n").at(-1)).not.toContain("--table");
  });

  test("drafts one scale of two that are chosen, and says so", async () => {
    const { out } = await init({}, ["all"]);
    expect(out).toContain("6 ratings (Low, Medium, High);");
    expect(out).toContain(
      "- The draft left out 3 ratings by another scale (Yes, No): one `sources.yaml` holds one scale.",
    );
  });

  test("says which words of a rated table are no level", async () => {
    const more = ["| Sled | Wet | Low |", "| Arch | Wet | High |", "| Box | Low | Dry |", "| Wing | High | Slow |"];
    writeFileSync(join(folder, "report.md"), report.replace("\n\n## ", `\n${more.join("\n")}\n\n## `));
    const { out } = await init();
    expect(out).toContain(
      "- 4 cells in rated columns are not rated, because the words are no level of the scale, or the row has others (Wet, Dry, Slow).",
    );
  });

  test("drafts nothing doubtful without a terminal, and names the option", async () => {
    const { out } = await init();
    expect(out).toContain("6 ratings (Low, Medium, High);");
    const says = `1 table may rate, and was not drafted: ${doubtful} (report.md: Shops; its yes and no may be facts). Run it again with --table and the names of those that do.`;
    expect(out).toContain(`- ${says}`);
    const { out: json, asked } = await init({ json: true }, ["2"]);
    expect(asked).toEqual([]);
    const { goOver, tables, found } = JSON.parse(json);
    expect(found.ratings).toBe(6);
    expect(goOver).toContain(says);
    expect(tables).toMatchObject([{ isChosen: true }, { id: doubtful, isChosen: false }]);
  });

  test("asks about a table of a report that cites nothing, and else refuses with its name", async () => {
    writeFileSync(
      join(folder, "report.md"),
      `# Shops\n\n${report.slice(report.indexOf("| Shop"), report.indexOf("The [guide]"))}`,
    );
    expect(await rated({}, ["1"])).toBe("3 ratings (No, Yes);");
    await expect(init()).rejects.toThrow(
      /there is nothing to watch\n1 table may rate, and was not drafted: shops-shop-open/,
    );
  });

  test("drafts the tables that --table names, and refuses others", async () => {
    expect(await rated({ table: [doubtful] })).toBe("3 ratings (No, Yes);");
    await expect(init({ table: ["shops"] })).rejects.toThrow(WrongUsage);
    await expect(init({ table: ["shops"] })).rejects.toThrow(`no table is called shops; those that may rate are`);
  });
});
