import { describe, expect, test } from "vitest";
import { citedLines as lines } from "../../src/read/kinds/lines.ts";
import { linesLinked } from "../../src/read/shared/line-links.ts";
import { keyOf } from "../../src/report/cite/sources.ts";
import { fixture, response, source } from "./given.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";
const at = (hash: string, ref = "main") =>
  source(lines, {}, `https://github.com/marsh/woods/blob/${ref}/src/woods.ts${hash}`);
const text = new TextDecoder().decode(fixture("lines.txt").body);

describe("lines", () => {
  test("reads the cited lines of a file, and where they are", () => {
    expect(lines.read(fixture("lines.txt"), at("#L3-L5"))).toEqual({
      facts: {
        lines: "export function countTrees(rings: number): number {\n  return rings * limit;\n}",
        place: "https://github.com/marsh/woods/blob/main/src/woods.ts#L3-L5",
      },
      atFirst: text,
    });
  });

  test("follows them from the file as it was at first", () => {
    const now = `// One more\n${text}`;
    const read = (body: string) => lines.read(response(body), at("#L3-L5", commit), { atFirst: text });
    const place = "https://github.com/marsh/woods/blob/HEAD/src/woods.ts#L4-L6";
    expect(read(now)).toMatchObject({ facts: { lines: expect.stringContaining("rings * limit"), place } });
    expect(read(now.replace("* limit", "+ limit"))).toMatchObject({
      facts: { lines: expect.stringContaining("rings + limit"), place },
    });
    expect(read("export {};\n")).toMatchObject({ facts: { lines: "", place: "gone" } });
  });

  test("takes a page to sign in for no file, with any type", () => {
    const page = "<!doctype html><html><title>Sign in</title><body><p>Sign in.</p></body></html>";
    expect(() => lines.read(response(page), at("#L3-L5", commit), { atFirst: text })).toThrow("HTML");
  });

  test("asks for the file of today, and once for that of the commit", () => {
    const raw = "https://raw.githubusercontent.com/marsh/woods";
    const access = { githubToken: false };
    expect(lines.request(at("#L3", commit), access).url).toBe(`${raw}/HEAD/src/woods.ts`);
    expect(lines.atFirst?.(at("#L3", commit))?.url).toBe(`${raw}/${commit}/src/woods.ts`);
    expect(lines.request(at("#L3"), access).url).toBe(`${raw}/main/src/woods.ts`);
    expect(lines.atFirst?.(at("#L3"))).toBeUndefined();
    expect([...(lines.otherwise?.(at("#L3")) ?? [])]).toEqual([
      { request: { url: `${raw}/HEAD/src/woods.ts` }, gives: "moved source" },
    ]);
  });

  test.each([
    ["https://github.com/marsh/woods/blob/main/src/woods.ts#L10-L20", { from: 10, to: 20 }],
    ["https://github.com/marsh/woods/blob/main/src/woods.ts#L10C2-L20C5", { from: 10, to: 20 }],
    ["https://github.com/marsh/woods/blob/main/docs/guide.md?plain=1#L7", { from: 7, to: 7 }],
    ["https://gitlab.example.org/marsh/woods/-/blob/main/src/woods.ts#L10-20", { from: 10, to: 20 }],
    ["https://github.com/marsh/woods/blob/main/src/woods.ts", undefined],
    ["https://github.com/marsh/woods/blob/main/src/woods.ts#L0", undefined],
    ["https://github.com/marsh/woods/blob/main/src/woods.ts#L20-L10", undefined],
    ["https://github.com/marsh/woods/blob/main/src/woods.ts#L10-L99999999", undefined],
    ["https://github.com/marsh/woods/blob/main/picture.png#L1", undefined],
    ["https://github.com/marsh/woods#L10", undefined],
    ["https://kites.example/page#L10", undefined],
  ])("of %s it is known which lines are meant", (address, cited) => {
    expect(linesLinked(address)?.cited).toEqual(cited);
  });

  test.each([
    ["https://github.com/marsh/woods/blob/main/src/woods.ts#L10-20"],
    ["https://github.com/marsh/woods/raw/main/src/woods.ts#L10C1-L20C9"],
    ["https://raw.githubusercontent.com/marsh/woods/main/src/woods.ts#L10-L20"],
    ["https://raw.githubusercontent.com/marsh/woods/refs/heads/main/src/woods.ts#L10-L20"],
    ["https://github.com/marsh/woods/blob/main/src/woods.ts?plain=1#L10-L20"],
  ])("%s is the same source as the usual link", (address) => {
    const usual = "https://github.com/marsh/woods/blob/main/src/woods.ts#L10-L20";
    expect(keyOf({ kind: "lines", address })).toBe(keyOf({ kind: "lines", address: usual }));
    expect(lines.sameName?.(address)).toBe(lines.sameName?.(usual));
    expect(keyOf({ kind: "lines", address: address.replace("10", "11") })).not.toBe(
      keyOf({ kind: "lines", address: usual }),
    );
  });

  test.each([
    "Retry later\n",
    "429: Too Many Requests",
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    '{"message":"API rate limit exceeded for 10.0.0.1.","documentation_url":"https://docs.github.com/rest"}',
    '{"message":"429 Too Many Requests"}',
    '{"error":"insufficient_scope"}',
  ])("%j is no file", (body) => {
    expect(() => lines.read(response(body), at("#L1"), { atFirst: text })).toThrow("an error page");
  });

  test("a file that is no text, or too much of it, cannot be read", () => {
    const failureOf = (body: string, hash = "#L1") => {
      try {
        return lines.read(response(body), at(hash));
      } catch (error) {
        return error;
      }
    };
    expect(failureOf("a\0b")).toMatchObject({ kind: "wrong-type" });
    expect(failureOf("x\n".repeat(1_000_001))).toMatchObject({ kind: "too-large" });
    expect(failureOf("a\n\nb\n", "#L2")).toMatchObject({ kind: "no-match" });
  });

  test("lines that the file does not have are gone from the beginning", () => {
    expect(lines.read(response(text), at("#L3-L999999"))).toMatchObject({ facts: { lines: "", place: "gone" } });
  });

  test("of many lines the beginning is kept, and each of them counts", () => {
    const many = Array.from({ length: 900 }, (_, i) => `line ${i};`).join("\n");
    const of = (body: string) => lines.read(response(body), at("#L1-L900"), { atFirst: `${many}\n` });
    const [one, other] = [of(`${many}\n`), of(`${many.replace("line 899;", "line x;")}\n`)] as { facts?: object }[];
    expect(one?.facts).toMatchObject({ lines: expect.stringMatching(/… 900 lines, [0-9a-f]{16}$/) });
    expect(one?.facts).not.toEqual(other?.facts);
  });
});
