import { escapeHtml } from "../../read/shared/body.ts";
import { bareAddress } from "../../read/text/bare-addresses.ts";
import { rstHtml } from "../../read/text/rst.ts";
import { numberedDocumentsIn } from "../cite/addresses.ts";

/**
 * Two private characters take the place of a link, because the next parser removes its markup. They are never longer
 * than a link, and padded to its length, so that the columns of a table stay aligned.
 */
const [filler, firstOfLinks, linksPerMark] = ["\ue000", 0xe001, 5_000];

/** A picture that is put in by its name, and its link. */
const picture =
  /^[ \t]*\.\. \|([^|\n]{1,80})\| image::.*\n(?:[ \t]+:(?!target)\w+:.*\n){0,9}[ \t]+:target:[ \t]+(\S+)/gm;

type Groups = Readonly<Record<string, string | undefined>>;

/** Possible links. Bare addresses come first: an underscore inside them is no reference. */
const reference = new RegExp(
  [
    bareAddress,
    // Spec: https://docutils.sourceforge.io/docs/ref/rst/roles.html#rfc-reference
    /(?<![\w:]):(?<series>rfc|pep|cve):`(?<number>\d{1,5}(?:-\d{4,7})?)(?:#[^`\n]{0,100})?`/,
    /(?<![:\w`])(?:`(?<unnamed>[^`<>]{1,200})`|(?<once>[A-Za-z0-9][A-Za-z0-9.-]{0,80}))__(?!\w)/,
    /(?<![:\w])`(?<label>[^`<]{0,300})<(?<at>[^<>`\s]{1,1000})>`__?/,
    /(?<![:\w])`(?<name>[^`<>]{1,200})`_(?!_)/,
    // A substitution reference that is also a link:
    // https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#substitution-references
    /\|(?<put>[^|\s][^|\n]{0,80})\|_(?!\w)/,
    /(?<![\w`])(?<word>[A-Za-z0-9][\w.-]{0,80})_(?![\w])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/**
 * reStructuredText as HTML with its citations: links by their targets, footnotes and citations by number.
 * Spec: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#hyperlink-references
 */
export function rstWithCitations(text: string): string {
  const unmarked = withNotes(text.replace(/[\ue000-\uf8ff]/g, ""));
  /** Anonymous targets, which references with two underscores at the end use in order. */
  const unnamed = /^[ \t]*(?:\.\. __:|__)[ \t]+(\S+)[ \t]*$/gm;
  const anonymous = [...unmarked.matchAll(unnamed)].map(([, address]) => address);
  const clean = unmarked.replace(unnamed, "");
  const key = (name: string) => name.toLowerCase().replace(/\s+/g, " ").trim();
  const targets = new Map(
    [...clean.matchAll(/^[ \t]*\.\. _`?([^:`\n]{1,120})`?:(?:[ \t]+|\n[ \t]+)(\S+)[ \t]*$/gm)].map(
      ([, name = "", address = ""]) => [key(name), address],
    ),
  );
  const links: string[] = [];
  const placeholder = (whole: string, label: string, address: string | undefined, inside = "") => {
    if (address === undefined || !/^https?:/i.test(address)) return whole;
    links.push(`<a href="${escapeHtml(address)}">${inside || escapeHtml(label.trim() || address)}</a>`);
    const i = links.length - 1;
    const mark = [Math.floor(i / linksPerMark), i % linksPerMark].map((one) => firstOfLinks + one);
    return String.fromCharCode(...mark).padEnd(whole.length, filler);
  };
  const pictures = new Map([...clean.matchAll(picture)].map(([, name = "", address]) => [key(name), address]));
  const pictured = clean
    .replace(picture, "")
    .replace(/\|([^|\s][^|\n]{0,80})\|(?!_)/g, (whole, name: string) =>
      placeholder(whole, name, pictures.get(key(name)), `<img alt="${escapeHtml(name)}">`),
    );
  let next = 0;
  const marked = pictured.replace(reference, (whole, ...rest: unknown[]) => {
    const { unnamed: phrase, once, label, at, name = "", word = "", put = "", series, number } = rest.at(-1) as Groups;
    if (series !== undefined) {
      const document = `${series.toUpperCase()}${number?.includes("-") ? "-" : " "}${number}`;
      return placeholder(whole, document, numberedDocumentsIn(document)[0]);
    }
    if (phrase !== undefined || once !== undefined) return placeholder(whole, phrase ?? once ?? "", anonymous[next++]);
    if (label !== undefined && at !== undefined)
      return placeholder(whole, label, /_$/.test(at) ? targets.get(key(at.slice(0, -1))) : at);
    const said = name || word || put;
    return said === "" ? whole : placeholder(whole, said, targets.get(key(said)));
  });
  return rstHtml(marked)
    .replace(/[\ue001-\uf4ff]{2}/g, (mark) => {
      const [high = 0, low = 0] = [0, 1].map((at) => mark.charCodeAt(at) - firstOfLinks);
      return links[high * linksPerMark + low] ?? "";
    })
    .replaceAll(filler, "");
}

/**
 * The fields below the title: `:Date: 2026-03-04`.
 * Spec: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#bibliographic-fields
 */
export function rstFields(text: string): Map<string, string> {
  const head = text.slice(0, 5_000).split("\n");
  const first = head.findIndex((line) => field.test(line));
  const above = head
    .slice(0, Math.max(0, first))
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith(".."));
  if (first < 0 || above.length > 2) return new Map();
  const end = head.findIndex((line, i) => i > first && !field.test(line) && !/^\s+\S/.test(line));
  const entries = head.slice(first, end < 0 ? head.length : end).flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = field.exec(line) ?? [];
    return name === "" || value === "" ? [] : [[name.toLowerCase(), value]];
  });
  return new Map(entries);
}

const field = /^:([A-Za-z][\w -]{0,40}):(?:\s+(\S.*))?$/;

const noteBegins = /^\.\.[ \t]+\[([^\]\s]{1,60})\](?:[ \t]+(\S.*))?$/;

/**
 * Turns `.. [1] A note` into a paragraph with entry `[1]`, and `[1]_` into its citation mark.
 * Spec: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#footnotes, #citations
 */
function withNotes(text: string): string {
  const lines = text.split("\n");
  const labels = lines.flatMap((line) => noteBegins.exec(line)?.[1]?.toLowerCase() ?? []);
  if (labels.length === 0) return text;
  const numbers = noteNumbers(labels);
  const numberOf = new Map(labels.map((label, i) => [label, numbers[i]]));
  const unnamed = numbers.filter((_, i) => labels[i] === "#");
  let notes = 0;
  let isNote = false;
  const listed = lines.flatMap((line): string[] => {
    const [, label, first = ""] = noteBegins.exec(line) ?? [];
    isNote = label !== undefined || (isNote && /^(?: |$)/.test(line));
    if (label !== undefined) return ["", `[${numbers[notes++]}] ${first}`];
    return [isNote ? line.trim() : line];
  });
  return listed.join("\n").replace(/\[([^\]\s]{1,60})\]_(?![\w_])/g, (whole, label: string) => {
    const number = label === "#" ? unnamed.shift() : numberOf.get(label.toLowerCase());
    return number === undefined ? whole : `[${number}]`.padEnd(whole.length, filler);
  });
}

/** The numbers of notes: their own, or the next free one in order. Citations with names come last. */
function noteNumbers(labels: readonly string[]): number[] {
  const numbersInUse = new Set(labels.flatMap((label) => (/^\d{1,4}$/.test(label) ? Number(label) : [])));
  const numbers = new Map<number, number>();
  const isCounted = (label: string) => /^[#*]/.test(label);
  let next = 1;
  for (const isLast of [false, true]) {
    for (const [i, label] of labels.entries()) {
      if (/^\d{1,4}$/.test(label)) numbers.set(i, Number(label));
      else if (isCounted(label) !== isLast) {
        while (numbersInUse.has(next)) next++;
        numbersInUse.add(next);
        numbers.set(i, next);
      }
    }
  }
  return labels.map((_, i) => numbers.get(i) ?? 0);
}
