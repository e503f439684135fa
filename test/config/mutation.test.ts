import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as parseYaml, stringify } from "yaml";
import { parseConfig } from "../../src/config/index.ts";
import { readers } from "../../src/read/index.ts";
import { runs } from "../support/runs.ts";
import { sources, trigger } from "./valid.ts";

type Path = (string | number)[];
const files = { "sources.yaml": sources, "triggers/delta.yaml": trigger };
type Name = keyof typeof files;

/** Every path of a value, but its own. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value) ? value.map((one, i): [number, unknown] => [i, one]) : Object.entries(value);
  return entries.flatMap(([key, one]) => [[...at, key], ...pathsOf(one, [...at, key])]);
}

const places = (Object.keys(files) as Name[]).flatMap((name) =>
  pathsOf(parseYaml(files[name])).map((path) => ({ name, path })),
);
/** Keys that are the author's own words: any is right. */
const free = ["names", "renumbered", "at-audit"];
const ruled = places.filter(({ path }) => typeof path.at(-1) === "string" && !free.includes(String(path.at(-2))));

/** The file with the entry at a path changed: the holder is handed over, with its key. */
function changed(
  name: Name,
  path: Path,
  change: (holder: Record<string | number, unknown>, key: string | number) => void,
): string {
  const tree: Record<string, unknown> = parseYaml(files[name]);
  const holder = path.slice(0, -1).reduce<unknown>((here, key) => Object(here)[key], tree);
  change(Object(holder), path.at(-1) ?? "");
  return stringify(tree);
}

/** Parses both files, one of them as given, and checks that every problem stands inside its file. */
function problemsWith(name: Name, text: string): number {
  const texts: Record<string, string> = { ...files, [name]: text };
  const parsed = parseConfig(
    Object.entries(texts).map(([path, written]) => ({ path, text: written })),
    readers,
  );
  expect(parsed.config === undefined).toBe(parsed.problems.length > 0);
  for (const { file, line, column, message } of parsed.problems) {
    const lines = (texts[file] ?? "").split("\n");
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
    expect(message).toMatch(/^[^\n]{3,400}$/);
  }
  return parsed.problems.length;
}

describe("any change of a valid config", () => {
  it("a key that is deleted never throws, and is missed at the most at its place", () => {
    for (const { name, path } of places) {
      problemsWith(
        name,
        changed(name, path, (holder, key) =>
          Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key],
        ),
      );
    }
  });

  it("a key that is renamed is always reported", () => {
    for (const { name, path } of ruled) {
      const text = changed(name, path, (holder, key) => {
        holder[`${key}_z`] = holder[key];
        delete holder[key];
      });
      expect(problemsWith(name, text), `${name} ${path.join(".")}`).toBeGreaterThan(0);
    }
  });

  it("a value of another type is always reported", () => {
    const wrong = fc.constantFrom<unknown>([[[]]], { z: [] }, [null], [{ z: 1 }]);
    fc.assert(
      fc.property(fc.constantFrom(...places), wrong, ({ name, path }, value) => {
        const text = changed(name, path, (holder, key) => {
          holder[key] = value;
        });
        expect(problemsWith(name, text), `${name} ${path.join(".")}`).toBeGreaterThan(0);
      }),
      { numRuns: runs(150) },
    );
  });

  it("any other value never throws", () => {
    const { name, path } = { name: fc.constantFrom(...places), path: fc.jsonValue() };
    fc.assert(
      fc.property(name, path, (place, value) => {
        problemsWith(
          place.name,
          changed(place.name, place.path, (holder, key) => {
            holder[key] = value;
          }),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it("text that is cut, doubled or scribbled on never throws", () => {
    const scribble = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom("\t", "- ", ": ", "{", "]", "&a ", "*a", "|\n", '"', "!x ", "\0", "\u2028", "---\n"),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(files) as Name[])),
        fc.nat(2500),
        fc.nat(20),
        scribble,
        (name, start, length, written) => {
          const text = files[name];
          problemsWith(name, text.slice(0, start) + written + text.slice(start + length));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("bytes of any kind never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (text) => {
        const { problems } = parseConfig([{ path: "sources.yaml", text }], readers);
        expect(problems.length).toBeGreaterThan(0);
      }),
    );
  });
});
