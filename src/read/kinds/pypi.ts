import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Block, Facts, Item, Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { packageAt } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, versionItem } from "../shared/given.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";
import { blocksOfPlain } from "../text/plain.ts";
import { blocksOfRst } from "../text/rst.ts";

/** A package of PyPI: its releases as items, its home and author as facts, its description as blocks. */
export const pypi = readerOf({
  kind: "pypi",
  spec: "https://docs.pypi.org/api/json/",
  noun: "pypi",
  cadence: "6h",
  example: "optimum-tpu",
  address: z
    .string()
    .max(100)
    .regex(/^[a-z\d](?:[\w.-]*[a-z\d])?$/i, "needs the name of a package, e.g. optimum-tpu"),
  // Older addresses lead to the newer ones. Spec: https://docs.pypi.org/api/
  recognises: (url) => packageAt(hosts, "project")(url) ?? packageAt(hosts, "pypi")(url),
  // Spec: https://peps.python.org/pep-0503/#normalized-names
  sameName: (address) => address.toLowerCase().replace(/[-_.]+/g, "-"),
  gives: () => ({ items: true, text: true, rows: true, facts: ["home", "author"] }),
  version: 14,
  request: (source) => jsonAt(`https://pypi.org/pypi/${source.address}/json`),
  read,
  page: (source) => `https://pypi.org/project/${source.address}/`,
  titleOf: ({ address }, { title = address }) => `${title} on PyPI`,
  versionsOf: (address) => address,
});

const hosts = ["pypi.org", "pypi.python.org"];

const file = z.object({
  upload_time_iso_8601: z.string().nullish(),
  yanked: z.boolean().optional(),
});

const shape = z.object({
  info: z.object({
    name: z.string(),
    author: z.string().nullish(),
    author_email: z.string().nullish(),
    home_page: z.string().nullish(),
    project_urls: z.record(z.string(), z.string()).nullish(),
    description: z.string().nullish(),
    description_content_type: z.string().nullish(),
  }),
  releases: z.record(z.string(), z.array(file)),
});

type Info = z.infer<typeof shape>["info"];

function read(response: Response): Reading {
  const { info, releases } = parseShape(shape, parseJson(response), "PyPI package");
  const items = limitItems(Object.entries(releases)).flatMap(([version, files]) => itemOf(info.name, version, files));
  return {
    title: info.name,
    items: items.sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.id < b.id ? -1 : 1)),
    blocks: description(info),
    facts: factsOf(info),
  };
}

/** Leaves out releases that have no files, or whose files are all yanked. */
function itemOf(name: string, version: string, files: readonly z.infer<typeof file>[]): Item[] {
  const offered = files.filter(({ yanked }) => yanked !== true);
  if (offered.length === 0) return [];
  const [at] = offered.flatMap(({ upload_time_iso_8601: time }) => time ?? []).sort();
  const url = `https://pypi.org/project/${name}/${encodeURIComponent(version)}/`;
  return [versionItem(name, version, { url, at, pre: isPre(version) })];
}

/** Spec: https://peps.python.org/pep-0440/#pre-releases */
function isPre(version: string): boolean {
  const suffix = /^v?(?:\d{1,9}!)?\d[\d.]*((?:[^\d.].*)?)$/is.exec(version.split("+", 1)[0] ?? "")?.[1] ?? "";
  return /^[-_.]?(?:alpha|a|beta|b|preview|pre|c|rc)[-_.]?\d*/i.test(suffix) || /[-_.]?dev[-_.]?\d*$/i.test(suffix);
}

function factsOf(info: Info): Facts {
  const urls = new Map(Object.entries(info.project_urls ?? {}).map(([name, url]) => [name.toLowerCase(), url]));
  const home = ["homepage", "home", "repository", "source", "source code"].map((name) => urls.get(name)).find(Boolean);
  return factsFrom({ home: info.home_page || home, author: info.author || info.author_email });
}

function description({ description: text, description_content_type: type }: Info): Block[] {
  if (!text) return [];
  if (type?.startsWith("text/markdown")) return blocksOfMarkdown(text);
  return type?.startsWith("text/plain") ? blocksOfPlain(text) : blocksOfRst(text);
}
