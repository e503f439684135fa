import { datesIn } from "../../language/dates.ts";
import { anyOf, isWhole, matches, wordsOf } from "../../language/lexicon.ts";
import { cutLine } from "../../model/markdown.ts";
import { day, type Instant, startOfDay } from "../../model/time.ts";
import { addressesIn } from "../../read/text/bare-addresses.ts";
import type { ReportPart, ReportText } from "../parse/report-text.ts";
import { webAddress } from "./addresses.ts";
import { isReferencesHeading } from "./bibliography.ts";
import { isAboutItself } from "./references.ts";

/** The report's title, address and version, and the day of its last audit. */
export interface About {
  readonly title: string;
  readonly url?: string;
  readonly version?: string;
  readonly audited: Instant;
  /** The origin of that day, in words. */
  readonly because: string;
}

interface FileFacts {
  readonly path: string;
  /** A title from another file, such as a table of contents. */
  readonly title?: string;
  /** `owner/name` of the repository. */
  readonly repository?: string;
  readonly committed?: Instant;
  /** Its published address, if the caller knows it. */
  readonly url?: string;
  /** The current time. */
  readonly at: Instant;
}

export function aboutOf(report: ReportText, known: FileFacts): About {
  const title = cutLine(known.title ?? "", 160) || reportTitle(report, known);
  const url = known.url ?? publishedAddress(report, title);
  const version = versionOf(report);
  return { title, ...(url && { url }), ...(version && { version }), ...auditOf(report, known) };
}

/** From the front matter, first heading, head, logo or first line; otherwise the file's name. */
export function reportTitle(report: ReportText, { path, repository }: Pick<FileFacts, "path" | "repository">): string {
  const { front, title, logo = "", parts } = report;
  const fits = ({ text }: ReportPart) =>
    text !== "" && text.length <= 160 && !/\n|^\{(?:[%{]|[\w-]+\}$)/.test(text) && !isEditionLine(text);
  const [top, ...others] = parts.filter((part) => part.level === 1 && fits(part) && !isContents(part.text));
  const head = parts.slice(0, 8).filter((part) => part.kind !== "row" && part.kind !== "item" && fits(part));
  const [begun] = head;
  const drawn = logo.replace(ofPicture, "");
  const logoTitle = isBadge(drawn) ? "" : drawn;
  // With several top headings, or one with the name of a section, none is the title.
  const begins = (top ?? begun)?.text ?? "";
  const isSection = isSectionTitle(begins) || isContents(begins) || (begun !== parts[0] && isAboutItself(begins));
  const isParted = isSection ? top === undefined || others.length > 0 : others.length > 1 && hasTextAbove(parts, top);
  const over = parts.slice(0, top ? parts.indexOf(top) : 0).find((part) => part.kind === "heading" && fits(part));
  const headed = isParted
    ? [isSection ? "" : over?.text, title, logoTitle]
    : [top?.text, title, begun?.kind === "heading" ? begun.text : "", logoTitle];
  const first = isParted ? undefined : begun?.text;
  const named = nameOf(path, repository);
  // The file's name is better than a long sentence. Data and wiki pages are named by their files.
  const isWorse = /[:!。]$|.{60}\.$/u.test(first ?? "") || /\.(?:(?:media)?wiki|json|csv|tsv)$/i.test(path);
  const last = isWorse ? [named, first] : [first, named];
  const candidates = [front.get("title"), proposalSubject(front, parts), ...headed, ...last, path.split("/").at(-1)];
  return candidates.map((one) => cutLine(one ?? "", 160)).find((one) => one !== "") ?? "Report";
}

function hasTextAbove(parts: readonly ReportPart[], heading: ReportPart | undefined): boolean {
  const above = heading ? parts.slice(0, parts.indexOf(heading)) : [];
  return above.filter(({ kind, text }) => kind === "text" && text.length >= 60).length >= 2;
}

/** The file's name; if it is generic, that of its folder or repository. */
function nameOf(path: string, repository: string | undefined): string | undefined {
  const [file = "", ...folders] = path.split("/").toReversed();
  if (!/^(?:readme|index|about|introduction|overview|main)?\.\w{0,8}$/i.test(file)) return file.replace(extension, "");
  return [...folders, repository?.split("/").at(-1)].find((name) => name && !anyFolder.test(name));
}

/** The ending of a file's name. */
const extension = /(?<=.)\.[a-z]{1,9}$/i;

/** Generic names of folders. */
const anyFolder =
  /^(?:\.+|\.github|src|docs?|documentation|contents?|pages?|source|website|site|book|www|md|[a-z]{2})$/i;

/** Headings of tables of contents. */
const isContents = matches(`^\\P{L}*(?:${anyOf("boilerplate.contents")}|toc|index)\\P{L}*$`);

/** Generic headings of first sections. */
const isSectionTitle = matches(`^${anyOf("citations.section")}\\W*$`);

/** The subject of a proposal. Spec: https://github.com/rust-lang/rfcs/blob/master/0000-template.md */
function proposalSubject(front: ReportText["front"], parts: readonly ReportPart[]): string | undefined {
  const headings = parts.findIndex(({ kind }) => kind === "heading");
  const head = parts.slice(0, headings < 0 ? 6 : Math.min(6, headings));
  const features = head.flatMap(({ text }) => /^feature(?: name)?:\s*(\S.{0,120})$/im.exec(text)?.[1] ?? []);
  return (front.get("feature") ?? features[0])?.replace(/_+/g, " ");
}

/** Alternative texts of badges and generic pictures. */
const isBadge = matches(`${wordsOf("citations.badge")}|^(?:(?:the )?${anyOf("citations.picture")}|.{0,2}|.{61,})$`);
const ofPicture = new RegExp(`(?<!\\s)\\s+${anyOf("citations.picture")}$`, "i");

/** Whether a line is about the edition or its author. `Updated kites` and `Dates of kites` are not. */
function isEditionLine(text: string): boolean {
  const dates = datesIn(text.slice(0, 40));
  return dates[0]?.from === 0 || isEdition(text) || (dates.length > 0 && isEdited(text));
}

const isEdited = matches(`^${anyOf("citations.edition", "stamps.edited")}(?![\\p{L}\\p{N}_])`);
const behindEdition = `\\s*(?:$|[:=(#]|v?\\d)|\\s+(?:${anyOf("citations.of-edition")}|[–—-])\\s`;
const isEdition = matches(
  `^(?:${anyOf("citations.by")} |v\\.? ?\\d[\\d.]*(?![\\d.]|\\s\\p{L})|${anyOf("citations.edition")}(?:${behindEdition}))`,
);

/** `Version 0.2` on a line near the beginning, or from the front matter. */
function versionOf({ front, parts }: ReportText): string | undefined {
  const declared = front.get("version") ?? front.get("revnumber");
  if (declared && declared.length <= 30 && !declared.includes("{")) return cutLine(declared, 30);
  for (const { text, kind } of parts.slice(0, 60)) {
    if (kind === "row" || text.length > 400) continue;
    const found = ownVersion.exec(text) ?? (kind === "heading" ? inBrackets.exec(text) : null);
    if (found?.[1]) return found[1];
  }
  return undefined;
}

const numberedVersion = `${anyOf("citations.version")}:? v?(\\d{1,4}(?:\\.\\d{1,4}){0,3})`;
/** The version of the text itself, and not of a subject or licence. */
const ownVersion = new RegExp(
  `(?:^|\\n|[|·•–—]\\s?|${wordsOf("citations.before-version")}\\s)${numberedVersion}` +
    `(?=\\s*(?:$|\\n|[|·•,;()–—-]|\\.(?:\\s|$)|${wordsOf("citations.behind-version")}))`,
  "iu",
);
/** The same in brackets, in a title. */
const inBrackets = new RegExp(`(?<!licen[cs]e )\\(${numberedVersion}\\)`, "i");

/** The published address, from the document's head, from the text, or from its citation: the title, then an address. */
function publishedAddress({ url, parts }: ReportText, title: string): string | undefined {
  const declared = url === undefined ? undefined : webAddress(url);
  if (declared || title.length < 12) return declared;
  for (const { text, kind, number, path } of parts) {
    const at = kind === "row" || number !== undefined ? -1 : text.indexOf(title);
    if (at < 0 || !/\bcit(?:e|ation|ing)\b/i.test([...path, text].join(" "))) continue;
    const after = addressesIn(text.slice(at)).flatMap((one) => webAddress(one) ?? []);
    if (after.length === 1) return after[0];
  }
  return undefined;
}

const checking = new RegExp(wordsOf("citations.checked"), "iu");
const accessing = new RegExp(wordsOf("citations.visited"), "iu");
const updating = new RegExp(
  `${wordsOf("citations.updated")}|(?:^|\\n)\\W{0,4}${wordsOf("citations.updated-at-start")}`,
  "iu",
);
const editing = new RegExp(`(?:^|[\\n|·•(—–])\\W{0,4}${wordsOf("citations.edition")}`, "iu");
const isHistory = isWhole("citations.history");

const ofEdition = "the date of its edition; it states no day of an audit";
const ofToday = "today; the report states no day";

/** Whether a date with this reason is replaced by that of the file's last commit. */
export function isUndated(because: string): boolean {
  return because === ofEdition || because === ofToday;
}

/** The day of the last audit, from the text, its references, its file or its edition. */
function auditOf({ front, parts }: ReportText, { path, committed, at }: FileFacts): Pick<About, "audited" | "because"> {
  const stated =
    front.get("audited") ?? front.get("reviewed") ?? front.get("last-reviewed") ?? front.get("last_reviewed");
  // A long table row is about another subject.
  const own = parts.filter(({ kind, text }) => kind !== "row" || text.length <= 300);
  const checked = latestDate(stated ? [stated] : textsNear(own, checking), at);
  if (checked !== undefined) return { audited: checked, because: "as the report says" };
  const edition = editionDate({ front, parts }, path, at);
  const accessed = latestDate(textsNear(parts, accessing), at);
  const updated = latestDate(updateTexts(front, parts), at);
  // An edit after the audit is a later check.
  if (accessed !== undefined && accessed >= Math.max(edition ?? accessed, updated ?? accessed))
    return { audited: accessed, because: "the last access date of its references" };
  if (updated !== undefined) return { audited: updated, because: "its last update; it states no day of an audit" };
  if (committed !== undefined)
    return { audited: startOfDay(committed), because: "the file's last commit; the report states no day" };
  if (edition !== undefined) return { audited: edition, because: ofEdition };
  return { audited: startOfDay(at), because: ofToday };
}

/** The day of the edition: from the front matter, the file's name, or lines at the start that are not about a source. */
function editionDate(
  { front, parts }: Pick<ReportText, "front" | "parts">,
  path: string,
  at: Instant,
): Instant | undefined {
  const stated = front.get("revdate") ?? front.get("date") ?? front.get("created") ?? datedName.exec(path)?.[1];
  if (stated) return latestDate([stated], at);
  const head = parts.slice(0, 60).filter((part) => part.text.length <= 300 && part.number === undefined);
  return latestDate(textsNear(head.filter(isAboutReport), editing), at);
}

/** Whether the dates of a part may be the report's own: those of entries and rows with several columns are of others. */
function isAboutReport({ path, cells = [] }: ReportPart): boolean {
  return !isReferencesHeading(path.at(-1) ?? "") && cells.length <= 2;
}

/** File name of a post. Spec: https://jekyllrb.com/docs/posts/#creating-posts */
const datedName = /(?:^|\/)((?:19|20)\d\d-\d\d-\d\d)-[^/]{1,200}$/;

function textsNear(parts: readonly ReportPart[], word: RegExp): string[] {
  return parts.filter(({ text }) => word.test(text)).flatMap(({ text }) => sentences(text, word));
}

const updateKeys = (
  "updated lastmod last_modified last-modified last_updated last-updated last_update modified date-modified " +
  "date_modified ms.date updatedat lastupdated"
).split(" ");

/** Texts that may hold the day of an update: front matter, short lines at the start and end, the update log. */
function updateTexts(front: ReportText["front"], parts: readonly ReportPart[]): string[] {
  const frontValues = updateKeys.flatMap((key) => front.get(key) ?? []);
  const edges = parts.length <= 80 ? parts : [...parts.slice(0, 60), ...parts.slice(-20)];
  const updateLines = textsNear(
    edges.filter((part) => part.text.length <= 400 && part.kind !== "heading" && isAboutReport(part)),
    updating,
  );
  const logged = parts.filter(({ kind, path }) => kind === "row" && isHistory(path.at(-1) ?? ""));
  return frontValues.length > 0 ? frontValues : [...updateLines, ...logged.map(({ text }) => text.slice(0, 60))];
}

function sentences(text: string, word: RegExp): string[] {
  return text.split(/(?<=[^\d\s][.;!?])\s+|\n/).flatMap((sentence) => {
    const at = sentence.search(word);
    return at < 0 ? [] : [sentence.slice(Math.max(0, at - 60), at + 100)];
  });
}

function latestDate(texts: readonly string[], at: Instant): Instant | undefined {
  const found = texts
    .flatMap((text) => datesIn(text))
    .flatMap((one) => one.at ?? [])
    .filter((one) => one <= at && day(one) >= "1990");
  return found.length > 0 ? found.reduce((a, b) => Math.max(a, b)) : undefined;
}
