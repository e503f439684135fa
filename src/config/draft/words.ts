import type { Instant } from "../../model/model.ts";

/** Text of a report as it goes into a file or is compared: one line, nothing hidden in it. */
export function plain(text: string, most = 200): string {
  const folded = text
    .slice(0, most * 4 + 200)
    .replace(/[\p{Cf}\p{Cs}\p{Co}\ufffe\uffff]/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const characters = [...folded];
  return characters.length <= most
    ? folded
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** Words as they are compared: `NVIDIA CUDA (H100)` → nvidia, cuda, h100; `torch.compile` and `c++` are one. */
export function tokensOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.+#]+[\p{L}\p{N}]+)*[+#]*/gu);
  return found ?? [];
}

const joining = new Set(
  "a an and or of the in on for with by to from at as is are be its it this that vs versus via per into over new each any all other both not no use using used de la le der die das und et y".split(
    " ",
  ),
);

/** Words that tell one thing from another. */
export function tellingTokens(text: string): string[] {
  return tokensOf(text).filter((token) => token.length > 1 && !joining.has(token));
}

/** `NVIDIA CUDA (H100/Blackwell)` without what stands in brackets after it; with it, where nothing else is there. */
export function shortName(text: string): string {
  const line = plain(text, 200);
  const at = line.search(/ ?[([]/);
  return (
    (at > 1 ? line.slice(0, at) : line)
      .replace(/[\s:*†‡§]+$/, "")
      .slice(0, 80)
      .trim() || line.slice(0, 80)
  );
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const name = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";

const shapes: readonly {
  pattern: RegExp;
  parts: (match: readonly (string | undefined)[]) => [string?, string?, string?];
}[] = [
  { pattern: /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/g, parts: ([, y, m, d]) => [y, m, d] },
  {
    pattern: new RegExp(`\\b${name}\\.? (\\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\\d\\d)\\b`, "gi"),
    parts: ([, m, d, y]) => [y, m, d],
  },
  {
    pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.? ${name}\\.?,? ((?:19|20)\\d\\d)\\b`, "gi"),
    parts: ([, d, m, y]) => [y, m, d],
  },
  { pattern: new RegExp(`\\b${name}\\.?,? ((?:19|20)\\d\\d)\\b`, "gi"), parts: ([, m, y]) => [y, m, undefined] },
];

/** A day that a text names, and where. A month alone is its first day. */
export interface Dated {
  readonly at: Instant;
  readonly from: number;
  readonly to: number;
}

/** The days that a text names, in order. */
export function datesIn(text: string): Dated[] {
  const found: Dated[] = [];
  for (const { pattern, parts } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const at = dayOf(...parts(match));
      const from = match.index;
      const to = from + match[0].length;
      if (at !== undefined && !found.some((one) => from < one.to && one.from < to)) found.push({ at, from, to });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

function dayOf(year = "", month = "", day = "1"): Instant | undefined {
  const number = /^\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const written = `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = Date.parse(written);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? at : undefined;
}

/** Longest address that is taken. */
const longest = 1_000;

const shape = /https?:\/\/[^\s<>"`{}|\\^]+/gi;

/** The web addresses that stand in a text, as they are written, without the punctuation that follows them. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(shape)].map(([written]) => trimmed(written));
}

/** A text without its addresses. */
export function withoutAddresses(text: string): string {
  return text.replace(shape, (written) => written.slice(trimmed(written).length));
}

function trimmed(written: string): string {
  let address = written;
  for (;;) {
    const last = address.at(-1) ?? "";
    const asks = last === "?" && address.indexOf("?") < address.length - 1;
    const closes = last === ")" ? count(address, "(") < count(address, ")") : last === "]" && !address.includes("[");
    if ((!asks && /[.,:;!?'*_…”’»~]/.test(last)) || closes) address = address.slice(0, -1);
    else return address;
  }
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** An address as it is watched, if it may be public. */
export function webAddress(written: string): string | undefined {
  const url = URL.parse(written.trim());
  return url && isPublic(url.hostname) ? watchable(url) : undefined;
}

/** An address as it is watched: without its fragment, and without what only tells where its reader came from. */
export function watchable(written: URL): string | undefined {
  const url = new URL(written);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.hash = "";
  for (const key of [...url.searchParams.keys()]) if (/^utm_/i.test(key)) url.searchParams.delete(key);
  const address = url.href;
  return address.length <= longest ? address : undefined;
}

/** A name below a public domain: no address of one's own machine or network. */
function isPublic(host: string): boolean {
  return /\.[a-z][a-z\d-]*\.?$/i.test(host) && !/\.(?:local|localhost|internal|test|invalid|lan)\.?$/i.test(host);
}
