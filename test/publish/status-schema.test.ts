import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { statusSchema } from "../../src/model/status-file.ts";
import { statusJson } from "../../src/publish/json.ts";
import { runs } from "../support/runs.ts";
import { anyEdition, editionWith } from "./edition-of.ts";

const file = new URL("../../status.schema.json", import.meta.url);
const readme = readFileSync(new URL("../../docs/readers.md", import.meta.url), "utf8");

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(statusSchema());

interface Property {
  readonly description?: string;
  readonly properties?: Record<string, Property>;
  readonly items?: Property;
}

/** `ratings.level`, by what stands there. */
function propertiesOf({ properties = {} }: Property, above = ""): [string, Property][] {
  return Object.entries(properties).flatMap(([name, property]): [string, Property][] => [
    [above + name, property],
    ...propertiesOf(property.items ?? property, `${above}${name}.`),
  ]);
}

const properties = propertiesOf(statusSchema());

describe("status.schema.json", () => {
  test("is what status-file.ts says: npm run schema writes it", () => {
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(statusSchema())));
  });

  test("describes every field", () => {
    expect(properties.length).toBeGreaterThan(50);
    expect(properties.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  });

  test("accepts published files, and additions of a later version", async () => {
    await fc.assert(
      fc.asyncProperty(anyEdition, async ({ config, remembered, at }) => {
        const made = statusJson(await editionWith(config, remembered, at));
        expect(validate(made), JSON.stringify(validate.errors)).toBe(true);
        expect(validate({ ...made, later: 1, report: { ...made.report, later: 1 } })).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  test("refuses what is not so", async () => {
    const [{ config, remembered, at } = expect.fail()] = fc.sample(anyEdition, { numRuns: 1, seed: 7 });
    const made = statusJson(await editionWith(config, remembered, at));
    expect(validate(made)).toBe(true);
    for (const wrong of [{ format: 1 }, { written: "yesterday" }, { staleAfter: undefined }, { ratings: {} }]) {
      expect(validate({ ...made, ...wrong }), JSON.stringify(wrong)).toBe(false);
    }
  });

  test("is reported in the README, field by field", () => {
    const [section] = /^## status\.json\n[\s\S]*?(?=\n##)/m.exec(readme) ?? [];
    const rows = [...(section ?? "").matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name = "", cell = ""]) => ({
      name,
      cell,
    }));
    for (const [name] of properties.filter(([name]) => !name.includes("."))) {
      const inside = properties.filter(([other]) => other.startsWith(`${name}.`)).map(([other]) => other.split(".")[1]);
      const row = rows.find((one) => one.name === name);
      expect(row, name).toBeDefined();
      const told = [...(row?.cell ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
      expect(told, name).toEqual(expect.arrayContaining(inside));
    }
  });
});
