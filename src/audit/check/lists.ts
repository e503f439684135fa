import type { TreeFile } from "../../model/ports/index.ts";
import { foreignFolder } from "../../model/repository-path.ts";
import { isReferencesHeading } from "../../report/cite/bibliography.ts";

/** The most files that are read for one change; each takes one request. */
const maxLists = 8;
const maxFileBytes = 2_000_000;
const maxBytesTogether = 5_000_000;

/**
 * The most folders between a list of references and the changed file: a list further away may belong to something else.
 */
const maxSteps = 2;

/**
 * Files in which a report may list what its chapters cite by numbers or keys: files of reference managers, pages with
 * such names, and the report's own. The nearest to a changed file first: beside it, above it, then anywhere. Pure.
 */
export function listsNear(
  files: readonly Pick<TreeFile, "path" | "size" | "link">[],
  changed: readonly string[],
  report?: string,
): string[] {
  const folders = changed.map((path) => path.split("/").slice(0, -1));
  const distanceTo = (path: string) =>
    Math.min(...folders.map((folder) => steps(folder, path.split("/").slice(0, -1))));
  let bytes = 0;
  return files
    .filter(({ path, size, link }) => !link && size > 0 && size <= maxFileBytes && !changed.includes(path))
    .filter(({ path }) => path === report || (isList(path) && foreignFolder(path) === undefined))
    .map(({ path, size }) => ({ path, size, rank: path === report ? -1 : distanceTo(path) }))
    .filter(({ path, rank }) => rank <= maxSteps || managed.test(path))
    .toSorted((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
    .slice(0, maxLists)
    .filter(({ size }) => {
      bytes += size;
      return bytes <= maxBytesTogether;
    })
    .map(({ path }) => path);
}

function steps(from: readonly string[], to: readonly string[]): number {
  const differs = from.findIndex((name, i) => name !== to[i]);
  const common = differs < 0 ? Math.min(from.length, to.length) : differs;
  return from.length + to.length - 2 * common;
}

/** Files of reference managers: their keys hold for the whole repository. */
const managed = /\.(?:bib|bibtex|ris|json)$/i;

function isList(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/\.(?:bib|bibtex|ris)$/i.test(name)) return true;
  const [, called = "", extension = ""] = /^(.+)\.(md|markdown|mdx|qmd|rmd|rst|html?|json)$/i.exec(name) ?? [];
  const words = called.replace(/[-_.\d]+/g, " ").trim();
  if (extension.toLowerCase() === "json" && /\b(?:refs?|csl|library|zotero|cited?)\b/i.test(words)) return true;
  return /\brefs\b/i.test(words) || (isReferencesHeading(words) && !/\bnotes\b/i.test(words));
}
