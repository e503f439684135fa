import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program } from "../support/program.ts";

/** The two measures on folders that are not as they should be: what can be read is measured, the rest is said. */

const folder = mkdtempSync(join(tmpdir(), "odd-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const run = (measure: "replay" | "noise", ...more: string[]) =>
  promisify(execFile)(process.execPath, [program().measure(measure), ...more]);

const page = (text: string) =>
  `<html><body><main><h1>A</h1><p>${text} ${"and more ".repeat(100)}</p></main></body></html>`;
const url = "https://example.org/a";

describe("replay", () => {
  const arguments_ = [
    "--corpus",
    join(folder, "corpus"),
    "--config",
    join(folder, "config"),
    "--out",
    join(folder, "out"),
  ];

  beforeAll(() => {
    const revisions = [
      { rev: 1, date: "2025-01-01T00:00:00Z", http_status: 404 },
      { rev: 2, date: "sometime", file: "one.html" },
      { rev: 3, file: "one.html" },
      { rev: 4, date: "2025-01-03T00:00:00Z", file: "one.html", headers: null },
      { rev: 5, date: "2025-01-04T00:00:00Z", file: "missing.html" },
      { rev: 6, date: "2025-01-05T00:00:00Z", file: "empty.html" },
      { rev: 7, date: "2025-01-06T00:00:00Z", file: "two.html" },
      { rev: 8, date: "2025-01-08T00:00:00Z", file: "one.html", http_status: 503 },
    ];
    write("corpus/docs/a/timeline.json", JSON.stringify({ doc: "a", url, revisions }));
    write("corpus/docs/a/one.html", page("It is so."));
    write("corpus/docs/a/two.html", page("It is not so."));
    write("corpus/docs/a/empty.html", "");
    write("corpus/docs/b/timeline.json", "{");
    write("corpus/docs/c/timeline.json", JSON.stringify({ doc: "c", url, revisions: [] }));
    write("corpus/docs/d/nothing.txt", "");
    write("corpus/docs/stray.txt", "");
    write("config/sources.yaml", `report: { title: R, audited: 2025-01-02 }\nsources: { a: { page: "${url}" } }\n`);
    write("config/triggers/t.yaml", "name: T\nratings: []\non: [{ change: a }]\n");
  });

  test("leaves out unreadable items, says so, and measures the rest", async () => {
    const { stderr } = await run("replay", ...arguments_);
    const firings = readFileSync(join(folder, "out"), "utf8").trimEnd().split("\n");
    expect(firings.map((line) => JSON.parse(line).rev)).toEqual([7]);
    expect(stderr.match(/^left out: \w(?:, revision \d)?/gm)).toEqual([
      "left out: a, revision 2",
      "left out: a, revision 3",
      "left out: a, revision 5",
      "left out: b",
      "left out: c",
      "left out: d",
    ]);
    expect(stderr).toContain("checks 1 of 1 documents");
  });

  test.each([
    [["--corpus", join(folder, "nowhere")], /^no documents: /],
    [["--config", join(folder, "nowhere")], /^no sources\.yaml in /m],
    [["--truth", join(folder, "nowhere")], /^no labels: /m],
    [["--unknown"], /^error: unknown option/m],
  ])("says what is wrong with %j", async (more, says) => {
    const error = await run("replay", ...arguments_, ...more).then(
      () => undefined,
      (reason: { code: number; stderr: string }) => reason,
    );
    expect(error?.code).toBe(1);
    expect(error?.stderr).toMatch(says);
    expect(error?.stderr).not.toMatch(/^ {4}at /m);
  });
});

describe("noise", () => {
  test("leaves out unreadable items, says so, and measures the rest", async () => {
    const line = (n: number, date: string, html: string) => JSON.stringify({ type: "snapshot", n, date, html });
    const whole = zstdCompressSync(
      [
        JSON.stringify({ type: "sequence" }),
        line(0, "2025-01-01T00:00:00Z", page("It is so.")),
        line(1, "sometime", page("It is not so.")),
        line(2, "2025-01-03T00:00:00Z", page("It is not so.")),
        line(3, "2025-01-05T00:00:00Z", page("It is not so.")),
        '{"type":"snap',
      ].join("\n"),
    );
    write("pages/whole.zst", whole);
    write("pages/cut.zst", whole.subarray(0, whole.length - 8));
    const sequences = ["whole", "cut", "missing"].map((id) => ({
      id,
      file: `${id}.zst`,
      url: `https://example.org/${id}`,
    }));
    write("pages/index.json", JSON.stringify({ sequences }));
    const files = ["--corpus", join(folder, "pages"), "--out", join(folder, "alerts")];
    const { stderr } = await run("noise", ...files);
    expect(readFileSync(join(folder, "alerts"), "utf8")).toBe('{"id":"whole","n":2}\n');
    expect(stderr).toMatch(
      /^whole: line 3 is left out.*\nwhole: line 6 is left out.*\ncut: cannot be unpacked.*\nmissing: cannot be unpacked.*\n6 checks, /,
    );
    // A change seen once waits for the next snapshot.
    await run("noise", ...files, "--one-check");
    expect(readFileSync(join(folder, "alerts"), "utf8")).toBe('{"id":"whole","n":3}\n');
  });

  test("checks a source by the reader of its kind, with its options, by what it asks about", async () => {
    const file = (name: string, ...contents: unknown[]) => {
      const lines = contents.map((content, n) => ({ n, date: `2025-01-0${1 + 2 * n}`, html: JSON.stringify(content) }));
      write(`kinds/${name}`, zstdCompressSync(lines.map((line) => JSON.stringify(line)).join("\n")));
      return { id: name, file: name, url: `https://example.org/${name}` };
    };
    const price = (usd: number) => ({ kites: [{ id: "comet", usd }] });
    const items = { kind: "json", options: { items: "kites", item: { id: "id" } } };
    const sequences = [
      { ...file("values.json", price(2), price(3)), kind: "json" },
      {
        ...file("items.json", price(2), price(3), { kites: [{ id: "delta" }, { id: "comet" }] }),
        ...items,
        on: "item",
      },
      { ...file("text.json", price(2), price(3)), kind: "text" },
    ];
    write("kinds/index.json", JSON.stringify({ sequences }));
    await run("noise", "--corpus", join(folder, "kinds"), "--out", join(folder, "alerts"));
    const alerts = readFileSync(join(folder, "alerts"), "utf8").trim().split("\n");
    expect(alerts.map((line) => Object.values(JSON.parse(line)).join(" "))).toEqual([
      "values.json 1",
      "items.json 2",
      "text.json 1",
    ]);
  });

  test("says that there is no such folder", async () => {
    const failed = run("noise", "--corpus", join(folder, "nowhere"), "--out", join(folder, "alerts"));
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^no sequences in /) });
  });
});
