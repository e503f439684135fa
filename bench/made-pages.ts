/** One statement of a report on the authority of a page, and its position in the sentence. */
export interface Said {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** For a cell. */
  readonly row?: string;
  readonly column?: string;
}

/**
 * Kinds of pages for a statement: they support it, have other figures, deny it, or say it of things with other names.
 */
export const ways = ["true", "changed", "denied", "foreign"] as const;
export type Way = (typeof ways)[number];

/**
 * Writes a page, in Markdown, that a report could have been written from. Each statement has one of five forms (a
 * sentence in other words, an item, a row, a column, an inverted sentence), among figures of other things. It knows
 * nothing of how claims are found: forms are made only of the words around a figure.
 */
export function madePage(title: string, said: readonly Said[], way: Way): string {
  const sentences = [...Map.groupBy(said, ({ text, row, column }) => JSON.stringify([text, row, column])).values()];
  const parts = sentences.map((own, i) => {
    const all = own.map((one) => worded(one, title));
    const isApart =
      all.every(({ behind, figure }) => behind !== "" && /\d/.test(figure)) && (way !== "denied" || all.length === 1);
    const form = (isApart ? forms : wholes)[i % (isApart ? forms : wholes).length] ?? sentence;
    const made = (wholes.includes(form) ? all.slice(0, 1) : all).map((one) => form(one, way, i));
    return `## Part ${i + 1}\n\n${made.join("\n\n")}`;
  });
  return `# ${title}\n\n${[...parts, noise, noise, noise, noise].join("\n\n")}\n`;
}

/** Whether a page that is written in this way does not say so: a sentence without a name is true of any thing. */
export function differs({ text, from, to, row }: Said, way: Way): boolean {
  if (way === "changed") return /\d/.test(text.slice(from, to));
  if (way !== "foreign") return true;
  // A page about another thing lacks what the statement denies, too.
  if (/\bnot\b/.test(text.slice(from, to))) return false;
  const [, first = ""] = beginning.exec(text.slice(0, from)) ?? [];
  const subject = row ?? (leadOf(text, from) || (names.exec(first)?.[0] ?? ""));
  const words = subject.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const left = named(row === undefined ? text : `${row}: ${text}`, way).toLowerCase();
  return words.length > 0 && words.every((word) => !left.includes(word));
}

/** The words of a sentence that contain its subject: `Free plan includes 1 workflow of DSPy` is not about DSPy. */
const beginning = /^((?:\S+\s+){0,5}\S*)/;

/** The name with which an entry of a list begins, in whatever letters: `deSEC - Free hosting`. */
function leadOf(text: string, from: number): string {
  return /^(\S+(?: \S+){0,3}) [-–—] /.exec(text.slice(0, from))?.[1] ?? "";
}

const otherName = "Zorbit Nine";

/** The parts of a statement, as far as words show them without being understood. */
interface Worded {
  readonly whole: string;
  readonly subject: string;
  readonly figure: string;
  /** Up to five words behind the figure. */
  readonly behind: string;
  readonly said: Said;
}

function worded(said: Said, title: string): Worded {
  const { text, from, to, row, column } = said;
  const figure = text.slice(from, to);
  const [behind = ""] = /^(?: ?[\p{L}\p{N}/'’-]+){0,5}/u.exec(text.slice(to)) ?? [];
  const [named = ""] = /\b(?:[\p{Lu}][\p{L}\p{N}.+-]*(?: (?=[\p{Lu}\p{N}]))?){1,4}/u.exec(text.slice(0, from)) ?? [];
  const subject = row ?? (leadOf(text, from) || (named.trim().length > 2 ? named.trim() : title));
  return { whole: text, subject, figure, behind: (behind.trim() || column) ?? "", said };
}

type Form = (worded: Worded, way: Way, index: number) => string;

const sentence: Form = ({ whole, said, subject }, way) => {
  const text = said.row === undefined ? whole : `${subject}, ${said.column ?? ""}: ${whole}`;
  return told(reworded(changedAt(text, way)), way, text);
};
const item: Form = (words, way) =>
  `- ${told(changedAt(`${subjectFor(words, way)}: ${words.figure} ${words.behind}`, way), way, words.whole)}`;
const row: Form = (words, way, i) =>
  way === "denied"
    ? sentence(words, way, i)
    : table([
        ["Thing", words.behind],
        [subjectFor(words, way), changedAt(words.figure, way)],
        ["Other One", scaled(words.figure, 7)],
      ]);
const column: Form = (words, way, i) =>
  way === "denied"
    ? sentence(words, way, i)
    : table([
        ["Feature", "Other One", subjectFor(words, way)],
        [words.behind, scaled(words.figure, 7), changedAt(words.figure, way)],
        ["Colour", "red", "blue"],
      ]);
const turned: Form = (words, way, i) => {
  const [first = "", ...rest] = words.whole.replace(/[.]$/, "").split(", ");
  if (rest.length === 0 || words.said.row !== undefined) return sentence(words, way, i);
  return told(changedAt(`${rest.join(", ")}, ${first}.`, way), way, words.whole);
};
const wholes: readonly Form[] = [sentence, turned];
const forms: readonly Form[] = [sentence, item, row, column, turned];

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows.map((cells) => cells.map((cell) => cell.replace(/\||\n/g, " ")));
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The figures and names of a text in a page of this kind. */
function changedAt(text: string, way: Way): string {
  if (way === "changed") return scaled(text, 3);
  return way === "foreign" ? named(text, way) : text;
}

function named(text: string, way: Way): string {
  if (way !== "foreign") return text;
  const lead = leadOf(text, text.length);
  const rest = text.slice(lead.length).replace(new RegExp(names, "gu"), otherName);
  return lead === "" ? rest : otherName + rest;
}

/** For another thing, the whole name is replaced. */
function subjectFor({ subject }: Worded, way: Way): string {
  return way === "foreign" ? otherName : subject;
}

/** Words with a capital, as far as they do not only begin a sentence. */
const names =
  /\b(?!(?:[KMGTP]i?B|TFLOPs|USD|EUR|But|And|The|This|That|These|For|Free|Other|Only|All|Get|Their|It|Its|If|Please|Public|Read|Should|Support|Live|Real|Recommended)\b)\p{Lu}[\p{L}\p{N}.]{2,}(?:[ -]\p{Lu}[\p{L}\p{N}.]+)*/u;

/** Multiplies each number; a version changes in its last part. */
export function scaled(text: string, times: number): string {
  return text.replace(/(?<![\p{L}\p{N}.])\d[\d,]*(?:\.\d+)*/gu, (number) => {
    const parts = number.split(".");
    if (parts.length > 1) return [...parts.slice(0, -1), String(Number(parts.at(-1)) + times)].join(".");
    return String(Number(number.replaceAll(",", "")) * times);
  });
}

function told(text: string, way: Way, original: string): string {
  if (way !== "denied") return text;
  const begin = original.length % 2 === 0 ? "It is not true any more that" : "Formerly, before it was removed:";
  return text
    .split(/(?<=[.!?]) (?=\p{Lu})/u)
    .map((one) => `${begin} ${one}`)
    .join(" ");
}

/** The same in other words: verbs and connectives that people exchange when they take something from a page. */
function reworded(text: string): string {
  const others: Readonly<Record<string, string>> = {
    has: "comes with",
    have: "come with",
    offers: "provides",
    provides: "offers",
    includes: "contains",
    with: "having",
    free: "free",
    your: "the",
    uses: "makes use of",
    however: "still",
    big: "large",
    get: "obtain",
    using: "by means of",
    "e.g.": "for example",
  };
  return text.replace(/[\p{L}.]+/gu, (word) => others[word.toLowerCase()] ?? word);
}

const noise = `It is kept by a team of people who like what they do, and who are glad about every report of what does not work yet.
Whoever wants to help finds a list of open questions, and somebody who answers them within a few days at most.

The Quux Basic comes in three colours and is delivered to the door, for whoever wants it in time for the next season.`;
