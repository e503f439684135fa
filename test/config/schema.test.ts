import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readers } from "../../src/read/index.ts";
import { schema, validator } from "./editor.ts";
import { sources, trigger } from "./valid.ts";

const file = new URL("../../recheck.schema.json", import.meta.url);

/** Every property of the schema, by where it stands. */
function* propertiesOf(node: unknown, at = "#"): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties")
      for (const [name, property] of Object.entries(Object(value))) yield [`${at}/${name}`, Object(property)];
    yield* propertiesOf(value, `${at}/${key}`);
  }
}

describe("recheck.schema.json", () => {
  it("is what the schemas say: npm run schema writes it", () => {
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it("describes every key", () => {
    const bare = [...propertiesOf(schema)].filter(([, { description }]) => !description);
    expect(bare.map(([at]) => at)).toEqual([]);
  });

  it("has no option of a kind that is called as a key of all kinds", () => {
    const common = "title cites stands-for cited-by announces at-audit every confirm claims".split(" ");
    expect([...readers.values()].flatMap(({ options }) => common.filter((key) => key in options))).toEqual([]);
  });

  it("takes a valid sources.yaml, and not one with a mistake", () => {
    const validate = validator("sources.yaml");
    expect(validate(parse(sources)), JSON.stringify(validate.errors)).toBe(true);
    for (const [from, to] of [
      ["cites:", "cite:"],
      ["audited:", "audted:"],
      ["quote:", "qoute:"],
      ["every: 2h", "every: 2 hours"],
      ["page:", "pge:"],
    ] as const) {
      expect(validate(parse(sources.replace(from, to))), to).toBe(false);
    }
  });

  it("takes a valid trigger, and not one with a mistake", () => {
    const validate = validator("trigger");
    expect(validate(parse(trigger)), JSON.stringify(validate.errors)).toBe(true);
    for (const [from, to] of [
      ["name:", "nam:"],
      ["issue:", "isue:"],
      ["180d", "180"],
      ["[major, minor]", "[majr]"],
    ] as const) {
      expect(validate(parse(trigger.replace(from, to))), to).toBe(false);
    }
  });
});
