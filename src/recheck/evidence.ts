import { day, describeProof } from "../describe.ts";
import type { Block, Evidence, Firing, Source } from "../model.ts";
import { diffLines, quoteLines } from "./diff.ts";
import { headline, shownWhole } from "./headline.ts";
import { code, fence, link, name, words } from "./inert.ts";
import { claimOf, leadOf, minute, type Question, refs } from "./question.ts";

type Context = Pick<Question, "config" | "link">;

/** Other sources of the same event that are named. */
const mostOthers = 8;

/** What was seen: one firing, with all that its sources show. `number` is 1 for the first. */
export function evidenceOf(firing: Firing, number: number, context: Context): string {
  const lead = leadOf(firing);
  const weight = firing.weight === "contrary" ? "**contrary**" : "routine";
  const lines = [
    `**${number}. ${headline(firing, context.config).markdown}** · ${weight} · ${seen(firing)}`,
    ...(lead ? sourceLine(lead, context) : []),
    [...(lead ? [asked(lead, context)] : []), `*event:* ${name(firing.event.key)}`].join(" · "),
    ...(lead ? [...soughtIn(lead, context), ...others(firing, lead, context)] : []),
  ];
  return [...lines, ...shown(firing)].join("\n");
}

function seen({ seen: at, fired, event }: Firing): string {
  const happened = event.at !== undefined && day(event.at) !== day(at) ? `${day(event.at)}, ` : "";
  const confirmed = fired - at >= 60_000 ? `, confirmed ${later(fired - at)} later` : "";
  return `${happened}seen ${minute(at)}${confirmed}`;
}

function later(duration: number): string {
  const minutes = Math.round(duration / 60_000);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function sourceLine(lead: Evidence, { config, link: linkTo }: Context): string[] {
  const source = config.sources.get(lead.source);
  if (!source) return [];
  const passage = passageOf(lead, config);
  const address = linkTo(source, passage);
  const open = link(address?.includes("#:~:text=") ? "open the passage" : "open", address);
  const entry = "item" in lead.change ? [`*entry:* ${name(lead.change.item.title)}`] : [];
  return [[`*source:* ${called(source)}`, ...(open.startsWith("[") ? [open] : []), ...entry].join(" · ")];
}

function passageOf({ change, claim }: Evidence, config: Context["config"]): Block | undefined {
  if (change.kind === "block") return change.after;
  if (change.kind !== "claim" || change.after === undefined) return undefined;
  const proof = claimOf(claim ?? change.claim, config)?.proof;
  if (proof && "fact" in proof) return undefined;
  // It may have stood in a table; only there do bars part what a browser shows apart.
  return { path: [], kind: "row", text: change.after };
}

/** With the numbers by which the report cites it, or the frozen pages it is watched in place of. */
function called({ title, address, cites, standsFor }: Source, most?: number): string {
  const shown = title ? words(title, 120) : code(address);
  const parts = [
    ...(cites.length > 0 ? [refs(cites, most)] : []),
    ...(standsFor.length > 0 ? [`in place of ${refs(standsFor, most)}`] : []),
  ];
  return [shown, ...parts].join(", ");
}

function asked({ part, condition, claim: key }: Evidence, { config }: Context): string {
  const claim = claimOf(key, config);
  if (claim && part === "claim")
    return shownWhole(claim.says) ? "*a claim of the report*" : `*the report says:* “${words(claim.says)}”`;
  if (claim && part === "until") return `*ends what the report says:* “${words(claim.says)}”`;
  if (part === "also") return "*not named by the report* (`also`)";
  return condition?.awaited ? "*awaited by the report*" : "*named by the report*";
}

/** What was looked for in vain: without it nobody can tell a mistyped proof from a source that has moved on. */
function soughtIn({ change, claim: key }: Evidence, { config }: Context): string[] {
  if (change.kind !== "claim" || change.to !== "unverified") return [];
  const claim = claimOf(key ?? change.claim, config);
  return claim ? [`*its proof in sources.yaml:* ${words(describeProof(claim.proof), 300)}`] : [];
}

function others(firing: Firing, lead: Evidence, { config }: Context): string[] {
  const first = new Map<string, Evidence>();
  for (const piece of firing.evidence) {
    if (piece.source !== lead.source && !first.has(piece.source)) first.set(piece.source, piece);
  }
  const named = [...first.values()].slice(0, mostOthers).flatMap((piece) => {
    const source = config.sources.get(piece.source);
    return source ? [`${called(source, 4)} (${minute(piece.seen)})`] : [];
  });
  if (named.length === 0) return [];
  const more = first.size - named.length;
  return [`*also seen in:* ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`];
}

/** The differences and the sections that matched, fenced. */
function shown({ evidence }: Firing): string[] {
  const sources = [...new Set(evidence.map(({ source }) => source))];
  return sources.slice(0, 4).flatMap((source) => {
    const here = distinct(evidence.filter((piece) => piece.source === source));
    const diff = diffLines(here.filter(({ condition }) => !ofTime(condition?.kind)));
    const excerpts = new Set(here.flatMap(({ excerpt }) => (excerpt ? [excerpt] : [])));
    const quotes = [...excerpts].slice(0, 3).flatMap(quoteLines);
    return [...(diff.length > 0 ? [fence(diff, "diff")] : []), ...(quotes.length > 0 ? [fence(quotes, "text")] : [])];
  });
}

function ofTime(kind: string | undefined): boolean {
  return kind === "silence" || kind === "unreviewed";
}

/** The same change may meet several conditions. */
function distinct(evidence: readonly Evidence[]): Evidence[] {
  const seen = new Map<string, Evidence>();
  for (const piece of evidence) {
    const key = JSON.stringify(piece.change);
    const before = seen.get(key);
    seen.set(key, before ? { ...before, excerpt: before.excerpt ?? piece.excerpt } : piece);
  }
  return [...seen.values()];
}
