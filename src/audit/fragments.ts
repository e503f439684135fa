import { decodeHTML } from "entities/decode";
import { plainWords, withoutAccents } from "../language/fold.ts";
import { makeOnce } from "../model/cache.ts";
import { decodePart } from "../read/shared/address.ts";
import { addressesIn } from "../read/text/bare-addresses.ts";
import { watchedAddress, withoutFragment } from "../report/cite/addresses.ts";
import type { ReportFile } from "../report/index.ts";

const mostAddresses = 5_000;

/** Fragments by the address of their page: names of parts and passages, or lines of code. */
export type Fragments = ReadonlyMap<string, ReadonlySet<string>>;

/** The fragments that a change of files adds. */
export function newFragments({ before, after }: Record<"before" | "after", readonly ReportFile[]>): Fragments {
  const textOf = (files: readonly ReportFile[]) => files.map(({ text }) => text).join("\n");
  const old = fragmentsIn(textOf(before));
  return new Map(
    [...fragmentsIn(textOf(after))].map(([page, names]) => [page, names.difference(old.get(page) ?? new Set())]),
  );
}

/** The fragments that a text cites. */
export function fragmentsIn(text: string, namesIn: (hash: string) => readonly string[] = partsIn): Fragments {
  const byAddress = new Map<string, Set<string>>();
  const written = addressesIn(text).filter((address) => address.includes("#"));
  for (const address of written.slice(0, mostAddresses)) {
    const url = URL.parse(address.replaceAll("&amp;", "&"));
    const names = url ? namesIn(url.hash) : [];
    const watched = url && watchedAddress(url);
    if (names.length === 0 || !watched) continue;
    const cited = makeOnce(byAddress, withoutFragment(watched), () => new Set());
    for (const name of names) cited.add(name);
  }
  return byAddress;
}

/** Fragments that name no part of the text: lines, entries and comments that load later, states of a program. */
const unnamed = /^(?:top$|L\d|page\b|(?:issue)?comment|discussion|reply|post|answer|diff)|\d{4}|[=&?/!~]/i;

/** The name in a fragment; undefined if it names no part of the page's own text. */
export function partIn(hash: string): string | undefined {
  const written = hash.slice(1);
  if (unnamed.test(written)) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}

const passageMark = ":~:text=";

/** The part that a fragment names, and the passages to which it scrolls: `install`, `:~:text=…`. */
function partsIn(hash: string): string[] {
  const [part = "", directives = ""] = hash.split(":~:", 2);
  const passages = directives.split("&").flatMap((one) => /^text=(.+)/.exec(one)?.[1] ?? []);
  return [partIn(part) ?? "", ...passages.map((passage) => passageMark + passage)].filter((name) => name !== "");
}

/** The lines of a file that a fragment names: `L10-L20`. */
export function linesIn(hash: string): string[] {
  return /^#L\d[\dCL-]{0,30}$/.test(hash) ? [hash.slice(1)] : [];
}

const anchor = /\s(?:id|name)\s*=\s*(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'>]{1,300}))/gi;
/** Whether the markup gives the headings of a page their ids. If not, a script may. */
const isNamed = /<(?:h[1-6]|section|dt)\b[^>]{0,500}\sid\s*=|<h[1-6]\b[^>]{0,500}>\s*<a\b[^>]{0,500}\s(?:id|name)\s*=/i;

export interface PageToSearch {
  readonly fragments: readonly string[];
  readonly html: string;
}

/** The fragments that a page does not have. Pure. */
export function missingFragments({ fragments, html }: PageToSearch): readonly string[] {
  const passages = fragments.filter((one) => one.startsWith(passageMark));
  const names = fragments.filter((one) => !one.startsWith(passageMark));
  return [...missingNames(names, html), ...missingPassages(passages, html)];
}

function missingNames(names: readonly string[], html: string): readonly string[] {
  if (names.length === 0 || !isNamed.test(html)) return [];
  const anchors = new Set<string>();
  for (const [, double, single, bare] of html.matchAll(anchor)) {
    const name = (double ?? single ?? bare ?? "").replaceAll("&amp;", "&").toLowerCase();
    anchors.add(name.replace(/^user-content-/, ""));
  }
  return names.filter((name) => !anchors.has(name.toLowerCase()));
}

/**
 * The passages that a page does not have. A page without most of their words is in another language, or a script
 * shows its text. Spec: https://wicg.github.io/scroll-to-text-fragment/#syntax
 */
function missingPassages(passages: readonly string[], html: string): readonly string[] {
  if (passages.length === 0) return [];
  const written = wordsIn(decodeHTML(html.replace(/<[^<>]*>/g, " ")));
  const [words, letters] = [new Set(written), written.join("")];
  return passages.filter((passage) => {
    const pieces = piecesIn(passage);
    const own = pieces.flatMap(wordsIn);
    return own.filter((word) => words.has(word)).length * 2 > own.length && !holdsInOrder(letters, pieces);
  });
}

/** The words of a text, as a browser compares them. */
function wordsIn(text: string): string[] {
  return plainWords(withoutAccents(text));
}

/** Whether letters hold the pieces of a passage. Spaces do not count: markup may separate or join words. */
function holdsInOrder(letters: string, pieces: readonly string[]): boolean {
  let from = 0;
  return pieces.every((piece) => {
    const own = wordsIn(piece).join("");
    const at = letters.indexOf(own, from);
    from = at + own.length;
    return at >= 0;
  });
}

function piecesIn(passage: string): string[] {
  return passage.slice(passageMark.length).split(",").map(decodePart);
}

/** The words to which a link scrolls, without those around them; undefined if the fragment is a name. */
export function quotedIn(fragment: string): string | undefined {
  if (!fragment.startsWith(passageMark)) return undefined;
  return piecesIn(fragment)
    .filter((piece) => !/^-|-$/.test(piece))
    .join(" … ");
}
