import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import type { Config } from "../../src/model/config.ts";
import { readers } from "../../src/read/index.ts";
import { validator } from "./editor.ts";

const root = new URL("../../examples/", import.meta.url);

const filesOf = (name: string) =>
  globSync("{sources.yaml,triggers/*.yaml}", { cwd: new URL(`${name}/`, root).pathname })
    .sort()
    .map((path) => ({ path, text: readFileSync(new URL(`${name}/${path}`, root), "utf8") }));

function exampleOf(name: string): Config {
  const { config, problems } = parseConfig(filesOf(name), readers);
  if (!config) throw new Error(problems.map(formatProblem).join("\n"));
  return config;
}

describe("the examples", () => {
  it("are these", () => {
    const configs = readdirSync(root).filter((name) => existsSync(new URL(`${name}/sources.yaml`, root)));
    expect(configs.sort()).toEqual(["awesome-list", "leaderboard", "technology-radar"]);
  });

  it("an awesome-list is claims alone", () => {
    const { ratings, triggers, sources } = exampleOf("awesome-list");
    expect([ratings.size, triggers.size]).toEqual([0, 0]);
    expect([...sources.values()].flatMap(({ claims }) => claims)).toHaveLength(4);
  });

  it("a technology radar has one axis and its own levels", () => {
    const { axes, levels, ratings, triggers } = exampleOf("technology-radar");
    expect(axes).toEqual(["technology"]);
    expect(levels).toEqual(["Hold", "Assess", "Trial", "Adopt"]);
    expect([...ratings.values()].map(({ level }) => level)).toEqual(["Trial", "Assess", "Hold", "Adopt"]);
    expect([...triggers.keys()]).toEqual(["lantern", "storage"]);
  });

  it("a leaderboard has values as ratings", () => {
    const { levels, ratings } = exampleOf("leaderboard");
    expect(levels).toEqual([]);
    expect([...ratings.values()].map(({ level }) => level)).toEqual(["41 ms", "187", "63.50 ms", "201"]);
  });

  it.each(readdirSync(root))("%s is right to an editor too", (name) => {
    for (const { path, text } of filesOf(name)) {
      const validate = validator(path === "sources.yaml" ? path : "trigger");
      expect(validate(parse(text)), `${path} ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(text).toMatch(/^# yaml-language-server: \$schema=(\.\.\/)+recheck\.schema\.json/);
    }
  });
});
