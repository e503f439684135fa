import { andOthers, anyOf, editors, says } from "../../language/lexicon.ts";
import { isMonthName } from "../../language/month-names.ts";

export interface Parts {
  readonly title?: string;
  /** The names, if the style has them behind the title. */
  readonly authors?: readonly string[];
  readonly year?: number;
  readonly venue?: string;
}

/** Pairs of quotation marks for titles in several languages. */
const quotes = ["“”", "„“", "„”", "«»", "‘’", "「」", "『』", '""', "''", "⟪⟫"];

/**
 * The parts of a citation in a style that separates them: by a quoted title, a year in brackets, marks such as `//` or
 * `[J]`. Emphasis is written ⟦so⟧, bold type at the beginning ⟪so⟫. Uncertain parts are left out; then the text is
 * compared as a whole.
 */
export function styledParts(text: string): Parts {
  const plainText = text
    .replace(/\s:(?=\s)/g, ":")
    // A quotation may have two different marks: `"…”`, or those of LaTeX.
    .replace(/(?:``|["”])([^`"“”]{6,400}?)(?:''|”)/g, "“$1”")
    .replace(/\]\(<?https?:[^\s()]*(?:\([^\s()]*\)[^\s()]*)*>?\)/g, "]()")
    .replace(/https?:\S+|\bdoi(?:[:-]\s?\S+|\s(?=10\.))|\b10\.\d{4,9}\/\S+|\barxiv:\s?\d\S+/gi, " ")
    .replace(/^\d{1,3}\s(?:\P{L}\s)?(?=\p{Lu})/u, "")
    .replace(/^⟦([^⟦⟧]{3,300})⟧/, (set, names: string) => (lengthOfNames(names) === names.length ? names : set))
    // Behind *in*, Italian styles have the journal in quotation marks.
    .replace(/(?<=,\sin\s)«([^«»]{2,200})»/, "⟦$1⟧")
    // Some styles emphasise only the volume.
    .replace(/⟦(\d{1,4})⟧/g, "$1")
    // Behind a title in single marks, the journal is in double ones.
    .replace(/(?<=」.{0,9})『([^『』]{2,200})』/g, "⟦$1⟧")
    .replace(/\s+/g, " ")
    .trim();
  for (const style of [
    splitQuoted,
    splitGost,
    splitChinese,
    splitGerman,
    splitApa,
    splitLinked,
    splitEmphasised,
    splitInitialled,
  ]) {
    const parts = style(plainText);
    if (parts?.title !== undefined && parts.title.length >= 6) return cleanParts(parts);
  }
  return cleanParts({ venue: emphasisIn(plainText) });
}

function cleanParts({ title, authors, venue, year }: Parts): Parts {
  const tidy = (part: string) => part.replace(/[⟦⟧⟪⟫]/g, "").replace(/^[\s.,;:]{1,20}|[\s.,;:]{1,20}$/g, "");
  const place = venue && tidy(venue.replace(/\*|\[[^\]]{3,40}\]/g, "")).replace(/^in:?\s+/i, "");
  return {
    ...(title !== undefined && !isNames(title) && { title: tidy(title) }),
    ...(authors && { authors }),
    ...(place && place.length >= 2 && place.length <= 200 && { venue: place }),
    year,
  };
}

/** Whether a title is really a list of names in an unknown form. */
function isNames(title: string): boolean {
  const initials = title.match(/(?<!\p{L})\p{Lu}\.(?=[\s,])/gu) ?? [];
  return initials.length >= 4 || andOthers.test(title);
}

/** `Authors, “Title,” ⟦Venue⟧ 14 (2022).` */
function splitQuoted(text: string): Parts | undefined {
  for (const [open = "", close = ""] of quotes) {
    const from = openingAt(text, open);
    if (from < 0) continue;
    const to = closingAt(text, from, open, close);
    if (to < 0) continue;
    const title = text.slice(from + open.length, to);
    const rest = text.slice(to + close.length);
    // Behind a colon the title goes on, and behind a single word.
    const goesOn = title.includes(" ") ? /^:\s/ : /^:?\s\p{L}/u;
    if (title.length < 6 || goesOn.test(rest) || (from > 400 && !/[”"»]/.test(close))) continue;
    // Behind an emphasised title, and before a year or volume, the venue is quoted.
    const behind = /^(?:\(\d{4}\))?[\s[]*$/.test(text.slice(0, from)) ? behindTitle(rest) : undefined;
    if (behind) return { title, ...behind };
    if (open === "⟪" && !/^\s?[(—–]/.test(rest)) continue;
    const [, emphasised] = (/^,?\s\d/.test(rest) && /⟦([^⟦⟧]{6,300})⟧,\s$/.exec(text.slice(0, from))) || [];
    return emphasised === undefined ? { title, venue: venueBehind(rest) } : { title: emphasised, venue: title };
  }
  return undefined;
}

/** The first opening quotation mark after names, a year or a mark. After a word it is part of a title. */
function openingAt(text: string, open: string): number {
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + 1)) {
    const before = text.slice(0, at);
    if (/(?:^|[.,;:)[\]\d⟧]|\b(?:al|others))\s*$/u.test(before.slice(-12))) return at;
    if (lengthOfNames(`${before.trimEnd()}, `) > before.length) return at;
  }
  return -1;
}

/** The closing quotation mark. A single quote or apostrophe before a letter does not close. */
function closingAt(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from + open.length; at < text.length; at++) {
    if (open !== close && text.startsWith(open, at)) depth++;
    if (!text.startsWith(close, at)) continue;
    if (/[’']/.test(close) && (at === from || /[\p{L}\d]/u.test(text[at + 1] ?? ""))) continue;
    if (depth === 0) return at;
    depth--;
  }
  return -1;
}

const namesBehind =
  /^[\s.,;:)\]([—–-]{0,9}(?:⟦([^⟦⟧]{3,600}?)[.,]?⟧|([^⟦⟧]{3,600}?))([\s.,;:(—–-]{1,4})(?:⟦([^⟦⟧]{2,200})⟧|(?:(\p{Lu}[^,;()⟦⟧]{1,120}?),?\s)?\(?(?:1[5-9]|20)\d\d)/u;
const nameWord = `(?:\\p{Lu}[\\p{L}'’-]{1,40}|(?:\\p{Lu}\\.-?){1,4}|\\p{Lu}|(?!${anyOf("citations.venue")} )\\p{Ll}{1,3})`;
const oneName = new RegExp(`^(?=.*\\p{Lu}\\p{Ll})(?:${nameWord},? ?){1,5}$`, "u");
const othersBehind = new RegExp(`[\\s,(]{0,3}${andOthers.source}.{0,3}$`, "iu");

/**
 * Names and a venue behind a title: `— L. Hargrave, U. Narew. ⟦Lift⟧`, `(Hargrave & Narew, Lift 1893)`. A single name
 * may be a company or a journal (`J. Lift`).
 */
function behindTitle(rest: string): Parts | undefined {
  const [, set, list = set ?? "", mark = "", emphasised, venue = emphasised] = namesBehind.exec(rest) ?? [];
  const authors = namesIn(list.replace(othersBehind, ""));
  const isSingle = authors.length === 1 && !othersBehind.test(list);
  if (authors.length === 0 || (isSingle && !(/\p{Lu}\./u.test(list) && (emphasised || !/^[\s.]+$/.test(mark)))))
    return undefined;
  return authors.every((one) => oneName.test(one)) ? { authors, venue } : undefined;
}

const betweenNames = new RegExp(`\\s?[;&/]\\s?|,?\\s${anyOf("citations.and")}\\s`, "iu");

/** The names of a list. A part without words is the initials of the name before. */
export function namesIn(list: string): string[] {
  const parts = list.split(betweenNames);
  const names = /[;/]/.test(list) ? parts : parts.flatMap((part) => part.split(/,\s?(?=[^,]{0,80}\p{L}[\p{L}'’-])/u));
  return names.map((name) => name.replace(/,\s{0,3}$/, "").trim()).filter((name) => name !== "");
}

function emphasisIn(text: string): string | undefined {
  return /⟦([^⟦⟧]{2,300})⟧/.exec(text)?.[1];
}

/** The venue after a title: emphasised words, or else the words up to the first number or comma. */
function venueBehind(behind: string): string | undefined {
  // A footnote may go on with another work.
  const [rest = ""] = behind.replace(editorsBefore, " ").split(/\s?;\s(?=\p{L})/u);
  const set = emphasisIn(rest);
  if (set !== undefined) return /^\d+$/.test(set) ? undefined : withoutVolume(set);
  const forms = [inBrackets, volumeFirst, abbreviatedName, wordsBehind];
  const own = forms.map((form) => form.exec(rest)?.[1]).find((words) => words !== undefined);
  const name = own?.replace(/(?:\s{1,3}\p{L}{0,3}\d[\d.–-]{0,15}\p{Script=Han}?){1,4}(?::\s?[\w–-]{1,20})?$/u, "");
  return name === undefined || isNoName.test(name) || isMonthName(name) ? undefined : name;
}

/** `In Lawrence Hargrave and Ute Narew, editors, ` and `In: Hargrave L. et al. (eds) ` */
const editorsBefore = new RegExp(
  `^[^⟦]{3,200}?(?:,\\s${anyOf("citations.editors")}\\.?,|${editors.source}[.:,]?)\\s`,
  "iu",
);
const within = anyOf("citations.in");
const wordsBehind = new RegExp(
  `^[\\s.,;:”"»'’⟧–—-]*(?:${within}:?\\s+)?([\\p{L}\\d][^,;()[⟦]{1,160}?)\\s*(?:[,;([⟦]|\\.\\s(?!\\p{L}{1,9}\\.[\\s,])|\\.?$)`,
  "iu",
);
const isNoName = new RegExp(`^(?:pp?|vol|no|s|p|\\d{4}|${within}|${anyOf("citations.venue")})[.:]?$|^\\P{L}*$`, "iu");
/** `Commun. ACM 24, 381`: a full stop before a capital letter does not end this name. */
const abbreviatedName =
  /^[\s.,;:”"»'’]*((?=[^\d]{2,120}\p{L}\.\s\p{L})(?:\p{Lu}[\p{L}&’-]{0,20}\.{0,2}(?:\s|(?=,))){1,9})(?:\d|,\s\p{L}{1,4}\.\s?\d)/u;
/** `(2014) 34(1) Bioinformatics 198` and `, 4 Harv. L. Rev. 193` */
const volumeFirst =
  /^[\s.,;:”"»'’]*(?:\((?:1[5-9]|20)\d\d\)\s)?\d{1,3}(?:\s?\([\d-]{1,9}\))?\s(\p{Lu}[^,;()\d]{2,120}?)\s\d{1,5}(?!\d)/u;

/** `(Hargrave & Wright, Lift 1893)` and `— Lawrence Hargrave (Lift, 1893)` */
const inBrackets = /^\s*(?:\([^()]{2,200},|[—–-]\s[^()]{2,300}\()\s?([^(),]{2,120}?),?\s(?:1[5-9]|20)\d\d\)/u;

/** `Env. Science 45(7): 2596` → `Env. Science`. */
function withoutVolume(venue: string): string {
  return venue.replace(/,?\s{0,3}\(?\d[\d\s():;,.–-]{0,60}$/, "").split(/,\s?(?=[\d(]|\p{L}{1,3}\.)/u)[0] ?? "";
}

const and = anyOf("citations.and");
/** Names with initials at the start of references, and separators: `Tommaso, P. D.`, `P. Di Tommaso`. */
const family = "(?:(?:\\p{Lu}[\\p{L}'’-]{0,40}|\\p{Ll}{1,4})[ -]){0,4}\\p{Lu}[\\p{L}'’-]{1,40}";
/** `MOREIRA, Gabriel de Souza P.` (ABNT, ISO 690) */
const given = `\\p{Lu}[\\p{L}'’-]{0,40}(?: (?:(?!${and} )\\p{Ll}{1,3} )?(?:\\p{Lu}[\\p{L}'’-]{1,40}|\\p{Lu}\\.?)){0,4}`;
const capitals = `\\p{Lu}[\\p{Lu}'’-]{1,40}(?: \\p{Lu}[\\p{Lu}'’-]{1,40}){0,3}, ${given}(?=[;,.]| ${and} | ${anyOf("citations.and-others")})`;
const initials = "\\p{Lu}\\p{Ll}?\\.[ -]?(?:\\p{L}\\p{Ll}?\\.[ -]?){0,3}";
const manyOthers = anyOf("citations.and-others");
/** `Hargrave LB` and `Hargrave L B`, before a mark, a year or the next name: `The DNA of kites` begins a title. */
const bareInitials = `(?:\\p{Lu}(?:-?\\p{Ll}?\\p{Lu}){0,2}(?: \\p{Lu}){0,2}(?=\\.?\\s?[,;:&(]|\\s(?:\\d{4}|${and}|${manyOthers})|$)|\\p{Lu}(?:[ -]?\\p{Lu}){1,2}(?=\\.\\s))`;
const nameForms = [
  `${family}\\s${bareInitials}`,
  `${family},?\\s\\(?${initials}\\)?`,
  capitals,
  `${initials} ?(?!\\p{Lu}{2}(?!\\p{L}))${family}`,
  `${family}(?=,? ${manyOthers})`,
  `\\[?${manyOthers}\\.?\\]?`,
  "others\\b",
];
const name = new RegExp(nameForms.join("|"), "uy");
const separator = new RegExp(`(?:[\\s,;.:&/]|[–-]\\s|(?!${manyOthers})${and}\\s){0,6}`, "uy");

/** The length of the names with initials that a citation begins with. */
export function lengthOfNames(text: string): number {
  let end = 0;
  for (;;) {
    name.lastIndex = end;
    const [written = ""] = name.exec(text) ?? [];
    if (written === "") return end;
    separator.lastIndex = end + written.length;
    end = separator.lastIndex + (separator.exec(text)?.[0].length ?? 0);
  }
}

/** `Authors Title // Venue. – 2013.` (GOST R 7.0.5) */
function splitGost(text: string): Parts | undefined {
  const at = text.indexOf(" // ");
  if (at < 0) return undefined;
  // The fuller form repeats the names behind the title.
  const [head = ""] = text.slice(0, at).split(" / ");
  const title = head.slice(lengthOfNames(head));
  const venue = /^([^–—]{2,200}?)\.?\s(?:[–—]|(?:1[5-9]|20)\d\d\.)/.exec(text.slice(at + 4))?.[1];
  return { title, venue };
}

/** `AUTHORS. Title[J]. Venue, 2020.` (GB/T 7714) */
function splitChinese(text: string): Parts | undefined {
  const at = /\[(?:J|C|M|D|R|N|P|S|A|Z|EB|DB|CP)(?:\/OL)?\]/.exec(text);
  if (!at) return undefined;
  // `AUTHORS. 2020. Title[C]//Venue`
  const head = text.slice(0, at.index).replace(/\. (?:1[5-9]|20)\d\d[a-z]?(?=[.,] )/, "");
  const from = Math.max(head.indexOf(". "), 0);
  const venue = /^\.?(?:\/\/)?\s*([^,，.]{2,200})[,，.]/.exec(text.slice(at.index + at[0].length))?.[1];
  return { title: from === 0 ? head : head.slice(from + 2), venue };
}

/** `Family, Given; Family, Given: Title. In: Venue 14 (2022), S. 3.` (DIN ISO 690), in footnotes `…, in: Venue, Jg. 14` */
function splitGerman(text: string): Parts | undefined {
  const at = text.search(/[.,?!]?\sin:\s/i);
  const colon = text.indexOf(": ");
  // `(2011) Title: Subtitle. In:` and `Hargrave L. Title: Subtitle. In:` are other styles.
  const names = text.slice(0, lengthOfNames(text));
  const isOther =
    /\d\)\s\p{L}|\p{L}\p{Ll}[.?!]\s/u.test(text.slice(0, colon)) || (/[.,]\s$/.test(names) && names.length < colon);
  if (at < 0 || colon < 0 || colon > at || isOther) return undefined;
  return { title: text.slice(colon + 2, at), venue: venueBehind(text.slice(at).replace(/^\S?\sin:\s+/i, "")) };
}

/** `(2021). ` and `. 2021. `. Another year may be in brackets behind the title. */
const yearsBehindNames: readonly RegExp[] = [
  /[([]\s?(?:\d[\p{L}\d\s.]{0,30}\s)?((?:1[5-9]|20)\d\d)[a-z]?(?:,\s[\p{L}\d\s]{2,30})?\s?[)\]](?:[.,:;]\s*|\s+)(?=\S)/u,
  /[.,]\s((?:1[5-9]|20)\d\d)[a-z]?[.,:]\s+(?=\S)/u,
];

/** Whether a line begins as an entry of a list does that has no marks. */
export function beginsWithNamesAndYear(line: string): boolean {
  return /^\(?(?:1[5-9]|20)\d\d[a-z]?\)?[.,:]/.test(line.slice(lengthOfNames(line))) && lengthOfNames(line) > 0;
}

/** `Authors (2021). Title. ⟦Venue⟧, 3(1).` and `Authors. 2021. Title. Venue.` */
function splitApa(text: string): Parts | undefined {
  const match = yearsBehindNames
    .map((form) => form.exec(text))
    .find((one) => one !== null && one.index <= 1_500 && !hasSentence(text.slice(0, one.index)));
  if (!match) return undefined;
  const rest = text.slice(match.index + match[0].length);
  if (/^(?:(?:vol|no|pp?)\b|\d|https?|doi\b)/i.test(rest)) return undefined;
  const head = headOf(rest);
  // Behind `Names. 2021. ` a comma does not end the title.
  const [, before, journal] = (!rest.includes("⟦") && !/\.\s+$/.test(match[0]) && titleBeforePlace.exec(rest)) || [];
  if (before !== undefined) return { title: before, year: Number(match[1]), venue: journal };
  if (isPlace(head)) return undefined;
  // A chapter names the editors of its book after the title.
  const title = (editors.test(head) ? sentence(head) : head).replace(/\s\[[^\]]{3,40}\]$/, "");
  return { title, year: Number(match[1]), venue: venueBehind(rest.slice(head.length)) };
}

/** Styles of physics and astronomy give the journal and the place in it, but no title. */
function isPlace(words: string): boolean {
  return /\d,?\s\(?\d{1,9}(?![\p{L}\d])|\(\d{4}\)|,\s\d{1,5},\s|^⟦?arXiv\b|^[^\s\d]+\s\d{4}\P{L}*$/u.test(words);
}

const isGroup = says("citations.group");
const journalAndYear = /^⟦[^⟦⟧]{2,200}⟧[\s.,]{0,3}\(?\d/;

/** Whether the text has more than names: a sentence that ends, or a mark that names do not have. */
function hasSentence(head: string): boolean {
  return /\p{Ll}{3}[.?!:](?<!others.)\s(?!$)|\s[—–-]\s|[“”"«»⟦[]/u.test(head);
}

const questionGoesOn = /^(?=[^.?!]{0,200}\s\p{Ll}{4,}\P{L})(?:\s[^\s.?!\d]{1,40}){4,40}(?=\.\s(?:⟦|\p{Lu}))/u;

/** The title at the beginning: up to emphasised words, to *In:*, or to the end of its sentence. */
function headOf(rest: string): string {
  const at = rest.indexOf("⟦");
  const [head = ""] = (at > 8 ? rest.slice(0, at) : sentence(rest)).split(/(?=,\sin:\s|\sIn:\s)/, 1);
  return head.replace(/[.,\s]{1,20}(?:in:?\s?)?$/i, "");
}

/** The text up to the first full stop that ends a sentence. */
function sentence(text: string): string {
  const end = /[^\s.]{2}[.?!]⟧?[–—-]?\s+(?=["“⟦\p{Script=Han}]|in: |\p{Ll}{0,3}\p{Lu}|(?:19|20)\d\d \p{Lu})/u.exec(
    text,
  );
  if (!end) return text.replace(/\.$/, "");
  const head = text.slice(0, end.index + 3);
  // `Do kites lift? A study of wet sand. Marshes 4, 12.`
  const [more = ""] = (/[?!]$/.test(head) && questionGoesOn.exec(text.slice(head.length))) || [];
  return head + more;
}

const linkedTitle = new RegExp(
  `^(?:(?:${within} )?\\[([^[\\]]{6,300})\\]\\([^()]{0,20}\\)|⟦([^⟦⟧]{6,300})⟧)(.*)$`,
  "iu",
);

/** `[Title](address) — Author, 2020`, `⟦Title⟧ — Author, 2020` and `[Title](address), Author, ⟦Venue⟧, 2020`. */
function splitLinked(text: string): Parts | undefined {
  const [, linked, title = linked ?? "", rest = ""] = linkedTitle.exec(text) ?? [];
  const behind = behindTitle(rest);
  return behind || /^\s*[—–-]\s/.test(rest) ? { title, ...behind } : undefined;
}

const venueAndVolume = new RegExp(
  `^(?:${within}:?\\s|⟦[^⟦⟧]{2,200}⟧,|[^\\d,;⟦]{3,120},\\s[^⟦]{0,20}\\d{1,4}\\D{1,12}\\d)`,
  "iu",
);

/**
 * `Names, ⟦Title⟧, 4 Harv. L. Rev. 193 (1890)` (Bluebook), `Names, ⟦Title⟧, in ⟦Venue⟧`, `Names, ⟦Title⟧, ⟦Venue⟧` and
 * `Names: ⟦Title⟧, Venue, 2021, Vol. 4`
 */
function splitEmphasised(text: string): Parts | undefined {
  const [, title, behind = ""] = /^[^⟦]{3,400}⟦([^⟦⟧]{6,300})⟧,\s(.*)$/u.exec(text) ?? [];
  const venue = volumeFirst.exec(behind)?.[1] ?? (venueAndVolume.test(behind) ? venueBehind(behind) : undefined);
  return venue === undefined ? undefined : { title, venue };
}

const fullName =
  "(?:(?:\\p{Lu}[\\p{L}'’-]{0,30}|(?:\\p{Lu}\\.-?){1,4}) ){1,3}(?:\\p{Ll}{1,4} ){0,2}\\p{Lu}[\\p{L}'’-]{1,40}";
const others = `(?:, ${fullName}){0,40}`;
const turnedName = `${family}, \\p{Lu}\\p{Ll}[\\p{L}'’-]{0,40}(?: \\p{Lu}[\\p{L}'’.-]{0,40}){0,3}`;
/**
 * `Lawrence Hargrave, Ute Narew, and Ida Warta. `, the same without *and*, and
 * `Hargrave, Lawrence; Narew, Ute. `
 */
const fullNameForms = [
  `(?:${turnedName}|${fullName})${others}(?:,? ${and} ${fullName}|,? ${manyOthers})[.:]`,
  `${fullName}, ${fullName}(?:${others}:|, ${fullName}${others}\\.)`,
  `${turnedName}(?:(?:;| ?/) ?${turnedName}){1,40},`,
  `${turnedName}(?:(?:[;,]| ?/) ?${turnedName}){0,40}(?:,? \\[?${manyOthers}\\.?\\]?[.:]|\\.)`,
  // One name alone may be a title, unless an emphasised title follows, or a title and a journal with its volume.
  `${fullName}\\.(?=\\s⟦[^⟦⟧]{10,300}⟧\\.\\s\\p{Lu}|\\s[^⟦⟧]{15,300}\\.\\s⟦[^⟦⟧]{2,200}⟧,?\\s\\d)`,
  `${fullName}:(?=\\s[^⟦⟧:]{15,300}\\.\\s[^⟦⟧.:]{2,100}\\s\\d{1,4}\\(\\d{1,4}\\):)`,
];
const fullNames = new RegExp(`^(?:${fullNameForms.join("|")})\\s(?!${and}\\s)`, "u");

/** `Title, Venue 4 (2) (2020) 1–3`, `Title, Venue, Vol. 4, pp. 1–3 (2020)` or `, 2020` of styles that have commas only. */
const titleBeforeVenue =
  /^((?:[^.?!]|[.?!](?!\s)){8,400}), (?!\p{L}{1,4}\.\s?\d)([^,\d]{3,120})(?:, (?:\p{L}{1,4}\.\s?)?| )\d{1,4}(?: ?\([^()]{1,12}\))?[^():]{0,40}(?:\((?:1[5-9]|20)\d\d\)|,\s(?:1[5-9]|20)\d\d\.?$)/u;

/** The same without a year, up to the end: `Title, Venue, Vol. 4, No. 2, pp. 1–3.` */
const titleBeforePlace =
  /^((?:[^.?!]|[.?!](?!\s)){8,400}?), (?!\p{L}{1,4}\.\s?\d)((?:[^.,:;\d⟦⟧]|(?<=(?<!\p{L})\p{Lu}\p{L}{0,3})\.){3,120}?)(?!\p{L}),?(?:[\s,.;:()№/–—-]{0,6}(?:(?<!\p{L})(?:[Vv]ol\p{L}{0,4}|\p{L}{1,5})[.:]?\s?){0,2}\d{1,9}){2,12}[\s.,;)\]]{0,5}$/u;
/** `Title, in: Proceedings of a Conference, 2017, pp. 173–182.` */
const titleBeforeIn = new RegExp(`^([^⟦⟧]{8,400}?), ${within}:? (?=[\\p{Lu}\\d⟦])`, "u");

/**
 * `Names AB, Names C. Title. Venue. 2020;4(2):1-3.`, `Names, A. & Names, B. Title. ⟦Venue⟧ 4, 1 (2020).` and
 * `Names, A.: Title. In: Venue, pp. 1–9 (2020).`
 */
function splitInitialled(text: string): Parts | undefined {
  const names = text.slice(0, lengthOfNames(text));
  // `Hargrave L-B, Narew U. Kites: A study` has no full name up to the colon.
  const isWhole = names.includes(",") && names.endsWith(". ");
  const length = (isWhole ? undefined : fullNames.exec(text)?.[0].length) ?? names.length;
  if (length === 0) return undefined;
  const rest = text.slice(length).replace(/^(?:\([^()\d]{2,30}\)\s)?(?:1[5-9]|20)\d\d\.?\s/, "");
  const mark = text.slice(0, length).trimEnd().at(-1);
  const isWithCommas = mark === "," || (mark === ":" && !/⟦|\p{Ll}{3}[.?!]\s\p{Lu}/u.test(rest));
  if (isWithCommas) {
    const [, article] = titleBeforeIn.exec(rest) ?? [];
    if (article !== undefined) return { title: article, venue: venueBehind(rest.slice(article.length)) };
    const plainRest = rest.replace(/[⟦⟧]/g, "");
    const [, before, journal] = titleBeforeVenue.exec(plainRest) ?? titleBeforePlace.exec(plainRest) ?? [];
    if (before !== undefined) return { title: before, venue: journal };
  }
  const title = headOf(rest);
  if (isPlace(title) || journalAndYear.test(rest) || (mark === "," && isGroup(title))) return undefined;
  // More names may follow in another form, up to a colon.
  if (/^[\p{L}'’-]{1,40}[,;]/u.test(title) && !/:\s?$/.test(text.slice(0, length))) return undefined;
  // Behind the emphasised title of a book its publisher follows.
  const isBook = rest.startsWith("⟦") && !/\d(?:\s?\(\d{1,4}\)[:,]|:)\s?(?:pp?\.\s?)?\d/.test(rest);
  return { title, venue: isBook ? undefined : venueBehind(rest.slice(title.length)) };
}
