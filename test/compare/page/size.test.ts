import { describe, expect, it } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import { pageOf } from "../../../src/read/html/html.ts";

const hour = 3_600_000;
const confirmAfter = 6 * hour;

/** What two more checks tell of a page that was edited after the first, as before → after. */
function edited(before: string, after: string): string[] {
  const [old, now] = [before, after].map((body) => pageOf(`<title>Manual</title><main><h1>Manual</h1>${body}</main>`));
  const { memory } = comparePage(undefined, old?.blocks ?? [], { at: 0, confirmAfter });
  const once = comparePage(memory, now?.blocks ?? [], { at: 24 * hour, confirmAfter });
  const twice = comparePage(once.memory, now?.blocks ?? [], { at: 30 * hour, confirmAfter });
  return twice.changes.map(({ change }) => `${change.before?.text ?? "-"} → ${change.after?.text ?? "-"}`);
}

const times = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join("\n");
const words = "the engine reads what the mill has ground and writes it where the next one looks for it".split(" ");
const sentence = (i: number) => `Part ${i}: ${words.map((_, n) => words[(n * 7 + i) % words.length]).join(" ")}.`;

const table = `<table><tr><th>Chip</th><th>Memory</th><th>Status</th></tr>${times(
  800,
  (i) => `<tr><td>Chip ${i}</td><td>${i % 9} GB</td><td>${i % 2 ? "yes" : "no"}</td></tr>`,
)}</table>`;
const book = times(10_000, (i) => `<p>${sentence(i)} ${sentence(i + 20_000)}</p>`);
const list = `<ul>${times(400, (i) => `<li>${sentence(i)}</li>`)}</ul>`;
const listing = `<pre><code>${times(300, (i) => `const step${i} = run(${i}, "mill");`)}</code></pre>`;
const command = "<p>Install it:</p><pre>curl -LO https://get.example.org/engine/v2.4.1/engine.tar.gz</pre>";

describe("nothing is too big or too small", () => {
  it.each<[string, string, string, string, string]>([
    ["a cell of 800 rows", table, "<td>Chip 611</td><td>8 GB", "<td>Chip 611</td><td>9 GB", "Chip 611 | 9 GB | yes"],
    ["a digit of 400,000 words", book, "Part 7321:", "Part 7326 b:", "Part 7326 b:"],
    ["a word of a long list", list, sentence(222), sentence(222).replace("engine", "machine"), "machine"],
    ["a line of a listing", listing, 'run(200, "mill")', 'run(200, "kiln")', 'run(200, "kiln")'],
    ["a digit of a listing", listing, "run(200,", "run(201,", "step200 = run(201"],
    ["a version in a command's address", command, "v2.4.1", "v2.4.2", "v2.4.2/engine.tar.gz"],
    ["the number of a line", "<p>Stop the run at line 12 of mill.cfg.</p>", "line 12", "line 14", "line 14"],
    ["a digit of a date", "<p>In force since 3 May 2026.</p>", "3 May", "8 May", "8 May 2026"],
  ])("%s", (_, page, from, to, shown) => {
    const after = page.replace(from, to);
    expect(after).not.toBe(page);
    const told = edited(page, after);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(shown);
  });

  it("reports rows that came, went and changed in a long table one by one", () => {
    const after = table
      .replace("<tr><td>Chip 40</td><td>4 GB</td><td>no</td></tr>", "")
      .replace("<tr><td>Chip 90</td>", "<tr><td>Chip X</td><td>2 GB</td><td>soon</td></tr><tr><td>Chip 90</td>")
      .replaceAll(/<td>Chip (7\d\d)<\/td><td>(\d)/g, "<td>Chip $1</td><td>1$2");
    const told = edited(table, after);
    expect(told).toHaveLength(102);
    expect(told).toContain("Chip 40 | 4 GB | no → -");
    expect(told).toContain("- → Chip X | 2 GB | soon");
    expect(told).toContain("Chip 702 | 0 GB | no → Chip 702 | 10 GB | no");
  });

  it("reports a table with all rows replaced", () => {
    const told = edited(table, table.replaceAll(/<td>Chip (\d+)<\/td>/g, "<td>Kiln $1</td>"));
    expect(told).toHaveLength(1_600);
  });
});
