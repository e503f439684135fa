import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { sources, told, trigger } from "./valid.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const files = (...list: [string, string | Uint8Array][]) =>
  parseConfig(
    list.map(([path, text]) => ({ path, text })),
    readers,
  ).problems.map(formatProblem);
const root = (text: string | Uint8Array) => files(["sources.yaml", text]);

describe("bytes that are no config", () => {
  it("5 MB", () => {
    const large = [`sources.yaml:1:1  the file is larger than 1 MB, the limit of a config file`];
    expect(root("a".repeat(5_000_000))).toEqual(large);
    expect(root(new Uint8Array(5_000_000))).toEqual(large);
  });

  it("not UTF-8, with the place", () => {
    const broken = new Uint8Array([...bytes("report:\n  title: Drachenhöhe "), 0xe4, 0x20, ...bytes("\n")]);
    expect(root(broken)).toEqual(["sources.yaml:2:22  not UTF-8 from here on; save the file as UTF-8"]);
    const report = Buffer.from("report: {}", "utf16le");
    const marked = Buffer.from("\ufeffreport: {}", "utf16le");
    for (const text of [report, marked, Buffer.from(report).swap16(), Buffer.from(marked).swap16()])
      expect(root(text)).toEqual(["sources.yaml:1:1  this is UTF-16; save the file as UTF-8"]);
    expect(root(new Uint8Array([...bytes("a: "), 0xc3]))).toEqual([
      "sources.yaml:1:4  not UTF-8 from here on; save the file as UTF-8",
    ]);
    expect(root(new Uint8Array([...bytes("\ufeff# \ufffd\n\na: "), 0xef, 0xbf]))).toEqual([
      "sources.yaml:3:4  not UTF-8 from here on; save the file as UTF-8",
    ]);
  });

  it("control characters", () => {
    expect(root("report:\n  title: a\0b\n")).toEqual(["sources.yaml:2:11  control character U+0000; delete it"]);
    expect(root(bytes("a: \u001b[31m"))).toEqual(["sources.yaml:1:4  control character U+001B; delete it"]);
  });

  it("but a byte order mark and Windows line ends are no mistake", () => {
    expect(
      files(
        ["sources.yaml", bytes(`\ufeff${sources.replaceAll("\n", "\r\n")}`)],
        ["triggers/delta.yaml", `\ufeff${trigger}`],
      ),
    ).toEqual([]);
  });
});

describe("text that is no YAML", () => {
  it.each([
    ["a tab", "report:\n\ttitle: x", "2:1  a tab cannot indent; use spaces"],
    ["an open quote", 'a: "x', "1:4  this double quote is not closed"],
    [
      "a quote that only the next one closes",
      "{ a: 'x,\n  b: 2,\n  c: 'y' }\n",
      "1:6  this single quote is not closed before the next one, on line 3",
    ],
    ["a quote that is open at the end of its entry", "a: 'x\nb: 2\nc: 'y'\n", "1:4  this single quote is not closed"],
    [
      "a quote that closes too early",
      "a: 'it's so'",
      "1:4  text follows the closing quote, at column 8; put all of it in quotes",
    ],
    ["an open quote that ends in an escape", 'a: "x\\"\nb: 1\n', "1:4  this double quote is not closed"],
    ["an open list", "a: [1", "1:4  this [ is not closed"],
    ["an open list in a map", "a: { b: [1, c: 2 }\nd: 3\n", "1:9  this [ is not closed"],
    ["a key without its space", "a: 1\nb:2\nc: 3\n", '2:1  this is not "key: value": a colon needs a space after it'],
    ["a colon in text", "a: b: c", '1:4  text with ": " in it needs quotes'],
    [
      "a value with a list below it",
      "a: b\n  - c: d",
      "1:4  this key has a value here and more below it; keep one of them",
    ],
    ["a character that starts nothing", "a: @x", "1:4  text that starts with @ needs quotes"],
    [
      "an escape between double quotes",
      'a: "\\d"',
      "1:5  a backslash between double quotes starts an escape; put the text between single quotes",
    ],
    ["a tag", "a: !date 2026-05-16", "1:4  tags (!name) are not supported"],
    ["a tag of bytes", "a: !!binary aGVsbG8=", "1:4  tags (!name) are not supported"],
    ["a tag of a set", "a: !!set { b }", "1:4  tags (!name) are not supported"],
    ["two documents", "a: 1\n---\nb: 2", "2:1  a file is one document: remove this --- and the text after it"],
    ["another YAML", "%YAML 1.1\n---\na: yes", "1:1  config is YAML 1.2; this says 1.1"],
    ["an alias of nothing", "a: *b", "1:4  there is no anchor &b before this"],
    ["a long alias of nothing", `a: *${"b".repeat(500)}`, `1:4  there is no anchor &${"b".repeat(59)}… before this`],
    ["an alias of itself", "a: &b [*b]", "1:7  nested deeper than 32 levels"],
    ["too deep in brackets", `a:\n  b: ${"[".repeat(100_000)}`, "2:38  nested deeper than 32 levels"],
    ["too deep in dashes", "- ".repeat(100_000), "1:65  nested deeper than 32 levels"],
    [
      "too deep in lines",
      Array.from({ length: 40 }, (_, i) => `${" ".repeat(i)}a:\n`).join(""),
      "34:34  nested deeper than 32 levels",
    ],
    ["too many values", `[${",".repeat(600_000)}`, "1:500000  the file has too many values"],
  ])("%s", (_, text, expected) => expect(root(text)[0]).toBe(`sources.yaml:${expected}`));

  it("is reported without what follows from it", () => {
    expect(root("a:\n  b: 1\n c: 2\n d: 3\ne: 4\n f: 5\n")).toHaveLength(1);
  });

  it("is reported once a line", () => {
    expect(root("a: @x\nb: @y @z\nc: 1\n")).toHaveLength(2);
  });

  it("is reported in a line that people read, however long the text is that is wrong", () => {
    const [told = "", ...more] = root(`ask: |${"![a](https://evil.example/i.png)".repeat(40)}\n  a\n`);
    expect(more).toEqual([]);
    expect(told).toMatch(/^sources\.yaml:1:\d+ {2}not well-formed YAML: block scalar header/);
    expect(told.length).toBeLessThan(300);
  });

  it("YAML bomb: an alias bomb, at once", () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(`*${of}`).join(", ")}]\n`;
    const bomb = `a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n${"bcdefghij"
      .split("")
      .map((name, i) => level(name, "abcdefghi"[i] ?? ""))
      .join("")}`;
    const started = processorTime();
    expect(root(bomb)).toEqual(["sources.yaml:5:8  aliases (*name) expand to more than 10,000 values"]);
    expectTime(processorTime() - started, 2_000);
  });

  it("but an alias that helps is no mistake", () => {
    const shared = sources
      .replace("ratings: [delta/lift]\n", "ratings: &which [delta/lift]\n")
      .replace("{ says: It carries", "{ ratings: *which, says: It carries");
    expect(told(shared)).toEqual([]);
  });
});

describe("files", () => {
  it("none", () => expect(files()).toEqual(["sources.yaml:1:1  there is no sources.yaml"]));

  it("an empty sources.yaml", () => {
    expect(root("")).toEqual(["sources.yaml:1:1  sources.yaml needs keys with values; this is empty"]);
    const files = [
      { path: "sources.yaml", text: "" },
      { path: "triggers/t.yaml", text: "name: T\nratings: [a, b]\non: [{ change: c }]\n" },
    ];
    expect(parseConfig(files, readers).problems).toHaveLength(1);
    expect(root("# soon\n")).toEqual(["sources.yaml:1:1  sources.yaml needs keys with values; this is empty"]);
  });

  it.each([
    ["triggers/delta.yml", 'config files end in .yaml; did you mean "triggers/delta.yaml"?'],
    [
      "triggers/Delta_2.yaml",
      '"Delta_2" is not an id: lower-case letters and digits, not only digits, in words joined by hyphens; it is the trigger\'s id; did you mean "triggers/delta-2.yaml"?',
    ],
    ["triggers/claims.yaml", 'a trigger cannot be called "claims": a built-in trigger has this name'],
    ["triggers/not-found.yaml", 'a trigger cannot be called "not-found": a built-in trigger has this name'],
    ["triggers/readme.md", "only sources.yaml and triggers/*.yaml are read"],
    ["delta.yaml", "only sources.yaml and triggers/*.yaml are read"],
    ["sources.yaml", "this file is given twice"],
  ])("%s", (path, message) => {
    expect(files(["sources.yaml", sources], [path, trigger])).toEqual([`${path}:1:1  ${message}`]);
  });

  it("in another folder keep it in messages", () => {
    expect(
      files(
        ["examples/kites/sources.yaml", sources.replace("cites: [3]", "cite: [3]")],
        ["examples/kites/triggers/delta.yaml", trigger],
      ),
    ).toEqual([
      'examples/kites/sources.yaml:26:5  unknown key "cite" in source "spar-releases"; did you mean "cites"?',
    ]);
  });
});

describe("the part of a file that is shown with a mistake", () => {
  it("is clipped and harmless in a terminal", () => {
    const [first] = told(sources.replace("cites: [3]", `"\\e[31m\u202e${"x".repeat(200)}": 1`));
    expect(first).toBe(
      `sources.yaml:26:5  unknown key "\\u{1b}[31m\\u{202e}${"x".repeat(73)}…" in source "spar-releases"; its keys are title, cites, stands-for, cited-by, announces, at-audit, every, confirm, claims, github-releases`,
    );
  });

  it("never holds credentials", () => {
    for (const kind of ["page", "feed", "github-repo", "pypi", "container-tags"]) {
      const problems = told(
        sources.replace("page: https://example.org/limits", `${kind}: https://me:hunter2@example.org/a@b`),
      ).join();
      expect(problems).toContain("credentials");
      expect(problems).not.toContain("hunter2");
    }
    expect(told(sources.replace("{ feed: 1h }", "{ feed: //me:hunter2@example.org }")).join()).not.toContain("hunter2");
  });
});
