import { readdirSync } from "node:fs";
import { readers } from "../../../src/read/index.ts";
import type { Reader } from "../../../src/read/reader.ts";
import { fixture } from "../../read/given.ts";
import { guidePage, guideText, pageMutants, textMutants } from "./guide.ts";
import { type Mutant, mutantsOf } from "./ways.ts";

/** A source that was read well once, and all the bodies by which it stops giving what it gave. */
export interface Case {
  readonly kind: string;
  readonly name: string;
  readonly reader: Reader;
  readonly address: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
  readonly type: string;
  readonly mutants: readonly Mutant[];
}

type Format = Parameters<typeof mutantsOf>[1];

interface Told {
  readonly fixture: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

const list = { items: "releases", item: { id: "$key", title: "name", version: "latest", date: "date" } };
const facts = { facts: { latest: "latest_stable", systems: "platforms.*.os" } };

/** Beside the fixtures of the readers as they are. */
const more: readonly Told[] = [
  { fixture: "container-tags.json", options: { tags: "^rocm" } },
  { fixture: "page.html", options: { select: "table" } },
  { fixture: "page.html", options: { versions: "Python (\\d+\\.\\d+)" } },
  { fixture: "json.json", options: list },
  { fixture: "json.json", options: facts },
  { fixture: "json.json", options: { versions: '"latest":\\s*"(\\d[^"]*)"' } },
];

/** What a fixture alone does not tell: of which package it is, or that its ending counts. */
const addresses: Readonly<Record<string, string>> = {
  "packagist.json": "acme/kite",
  "lines.txt": "https://github.com/marsh/woods/blob/main/src/woods.ts#L3-L5",
  ...Object.fromEntries(
    ["md", "rst", "txt", "yml"].map((one) => [`text.${one}`, `https://engine.example/text.${one}`]),
  ),
};

const formats: Readonly<Record<string, Format>> = {
  ...{
    "crates.txt": "lines",
    "lines.txt": "text",
    "text.md": "text",
    "text.rst": "text",
    "text.txt": "text",
    "text.yml": "text",
  },
  ...{ json: "json", xml: "xml", atom: "xml", rdf: "xml", rss: "xml", html: "html", pdf: "binary" },
};

const types: Readonly<Record<string, string>> = {
  json: "application/json",
  html: "text/html; charset=utf-8",
  pdf: "application/pdf",
  xml: "text/xml",
  md: "text/markdown",
  atom: "application/atom+xml",
};

export function cases(): Case[] {
  const folder = new URL("../../read/fixtures/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.includes("."));
  const guides = [
    caseOf({ fixture: "page.html" }, guidePage, pageMutants),
    caseOf({ fixture: "text.md" }, guideText, textMutants),
  ];
  return [
    ...[...files.map((fixture): Told => ({ fixture })), ...more].map((told) => caseOf(told)),
    ...guides.map((one) => ({ ...one, name: `a guide of kind ${one.kind}` })),
  ];
}

function caseOf({ fixture: file, options = {} }: Told, text?: string, others: readonly Mutant[] = []): Case {
  const [kind = "", ending = ""] = file.split(".");
  const reader = readers.get(kind);
  const format = formats[file] ?? formats[ending];
  if (!reader || !format) throw new Error(`no reader or format of ${file}`);
  const body = text === undefined ? fixture(file).body : new TextEncoder().encode(text);
  const about = Object.keys(options).length > 0 ? ` with ${Object.keys(options).join(", ")}` : "";
  return {
    ...{ kind, name: `${file}${about}`, reader, options, body },
    address: addresses[file] ?? reader.example,
    type: types[ending] ?? "text/plain",
    mutants: [...others, ...mutantsOf(body, format)],
  };
}
