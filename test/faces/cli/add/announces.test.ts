import { expect, test } from "vitest";
import { announcedBy } from "../../../../src/faces/cli/add/propose.ts";
import type { Config } from "../../../../src/model/config.ts";
import type { Reading } from "../../../../src/model/reading.ts";
import { readers } from "../../../../src/read/index.ts";
import { configOf } from "../../../support/config-of.ts";

const head = "report: { title: R, audited: 2026-05-16 }\n";
const config = configOf(`${head}products:
  widget: { name: Widget, aliases: [acme_widget] }
  rig: { name: Rig, tags: ["rig-{version}"] }
  twin: { name: Twin }
  other-twin: { name: Other, aliases: [twin] }
sources:
  widget-releases: { github-releases: acme/widget, announces: widget }
`);
const versions = (...all: string[]) => ({
  items: all.map((version) => ({ id: version, title: version, version })),
});

function announced(kind: string, address: string, reading: Reading, among: Config) {
  const reader = readers.get(kind);
  if (!reader) throw new Error(kind);
  return announcedBy(address, reader, reading, among);
}

test.each([
  ["its name, as PyPI compares names", "pypi", "Acme-Widget", ["1.0"], "widget"],
  ["tags of its shape", "github-releases", "acme/rig", ["nightly", "rig-1.0"], "rig"],
] as const)("certain: %s", (_, kind, address, tags, wanted) => {
  expect(announced(kind, address, versions(...tags), config)).toMatchObject({ product: { id: wanted } });
});

test.each([
  ["a fork", "github-releases", "someone/widget", ["v1.0"], "acme/widget announces it"],
  ["tags of another shape", "github-releases", "acme/rig", ["v1.0"], "no tag of it has the product's shape"],
  ["two products of one name", "pypi", "twin", ["1.0"], "another product has this name too"],
  ["nothing announced yet", "pypi", "rig", [], "it has announced no version yet"],
  ["no product of the name", "pypi", "torch", ["1.0"], "Its product is not known"],
] as const)("left to a person: %s", (_, kind, address, tags, says) => {
  const { product, note } = announced(kind, address, versions(...tags), config);
  expect(product).toBeUndefined();
  expect(note).toContain(says);
});

test("of other kinds, and if there are no products, nothing is said", () => {
  expect(announced("feed", "https://x.example/widget", versions("1.0"), config)).toEqual({});
  expect(announced("pypi", "torch", versions("1.0"), configOf(`${head}sources: {}\n`))).toEqual({});
});
