import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readers } from "../../src/read/index.ts";
import type { Reader } from "../../src/read/reader.ts";
import { source } from "./given.ts";

const here = import.meta.dirname;
const files = globSync(`${here}/../../src/read/kinds/*.ts`);
const fixtures = globSync(`${here}/fixtures/**`).map((file) => basename(file));
const readme = `${here}/../../docs/sources.md`;

const isReader = (value: unknown): value is Reader =>
  typeof value === "object" && value !== null && "kind" in value && "read" in value && "request" in value;

const exported = await Promise.all(
  files.map(async (file) => {
    const module: Record<string, unknown> = await import(file);
    return { name: basename(file, ".ts"), readers: Object.values(module).filter(isReader) };
  }),
);
const kinds = exported.filter(({ readers }) => readers.length > 0);

describe("the registry", () => {
  test("there are kinds", () => {
    expect(kinds.length).toBeGreaterThanOrEqual(12);
    expect(readers.size).toBe(kinds.length);
  });

  describe.each(kinds)("$name", ({ name, readers: [reader, ...more] }) => {
    test("is one reader, called as its file, and registered", () => {
      expect(more).toEqual([]);
      expect(reader?.kind).toBe(name);
      expect(readers.get(name)).toEqual({ ...reader, read: expect.any(Function) });
    });

    test("has a test and a fixture", () => {
      expect(existsSync(`${here}/${name}.test.ts`), `test/read/${name}.test.ts`).toBe(true);
      expect(
        fixtures.some((file) => file.startsWith(`${name}.`)),
        `test/read/fixtures/${name}.*`,
      ).toBe(true);
    });

    test("takes its example, and gives the addresses to ask and to check", () => {
      expect(reader?.address.safeParse(reader.example).error).toBeUndefined();
      expect(reader?.address.safeParse("").success).toBe(false);
      const one = reader && source(reader);
      for (const githubToken of [true, false]) {
        expect(one && reader?.request(one, { githubToken }).url).toMatch(/^https:\/\//);
      }
      expect(one && reader?.page(one)).toMatch(/^https:\/\//);
      expect(reader?.spec).toMatch(/^https:\/\//);
    });

    test("can be described to editors", () => {
      const shape = z.strictObject(reader?.options ?? {});
      expect(z.toJSONSchema(shape, { io: "input" })).toHaveProperty("additionalProperties", false);
    });

    test("is in the README's table of kinds, if there is a README", () => {
      const told = existsSync(readme) ? readFileSync(readme, "utf8") : `| \`${name}\` |`;
      expect(told).toMatch(new RegExp(`^\\|[^|]*\`${name}\``, "m"));
    });
  });
});
