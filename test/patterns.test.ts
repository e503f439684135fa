import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { analyse } from "scslre";
import { describe, expect, test } from "vitest";
import { readers } from "../src/read/index.ts";
import { expectTime } from "./support/expect-time.ts";
import { processorTime } from "./support/processor-time.ts";

interface Expression {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** Every expression that a file writes down. */
function expressionsOf(file: string): Expression[] {
  const code = readFileSync(file, "utf8");
  const found: Expression[] = [];
  const visitor = new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      const line = code.slice(0, node.start).split("\n").length;
      found.push({ at: `${file}:${line}`, source: node.regex.pattern, flags: node.regex.flags });
    },
  });
  visitor.visit(parseSync(file, code).program);
  return found;
}

/** Quantifiers of it that may take the square of a text's length, or more. */
function slowParts({ source, flags }: Expression): string[] {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ type }) => `${type}: /${source}/${flags}`);
}

/** Rooms whose expressions see what came from the network. The others read files of the repository that they work for. */
const rooms =
  "model language read compare adapters recheck watch status publish works claims report audit onboard".split(" ");
const all = rooms.flatMap((room) => globSync(`src/${room}/**/*.ts`)).flatMap(expressionsOf);

test("all expressions are found", () => {
  expect(all.length).toBeGreaterThan(400);
  expect(expressionsOf("src/read/kinds/maven.ts").map(({ source }) => source)).toContain(
    "^[a-z\\d](?:\\.?[\\w-])*:[a-z\\d][\\w.-]*$",
  );
});

test("the check finds patterns that take the square, and those that take more", () => {
  for (const source of ["\\s*<[^<>]*>$", "\\/+$", "(©|c)[\\s©]*\\d{4}", "^(?:\\.?\\w+)*:"]) {
    expect(slowParts({ at: "", source, flags: "" })).not.toEqual([]);
  }
});

test("ReDoS: no expression that sees what strangers serve takes the square of its length", () => {
  expect(all.flatMap((one) => slowParts(one).map((slow) => `${one.at} ${slow}`))).toEqual([]);
});

describe("addresses of config are checked in time linear in their length", () => {
  test.each(["maven", "packagist"])("%s", (kind) => {
    const begun = processorTime();
    expect(readers.get(kind)?.address.safeParse("a".repeat(200)).success).toBe(false);
    expectTime(processorTime() - begun, 1_000);
  });
});
