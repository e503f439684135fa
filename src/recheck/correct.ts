import { movedFigure } from "../claims/find/figures.ts";
import { isLink } from "../config/edit/claims.ts";
import {
  type Correction,
  editAddresses,
  editFigures,
  type ReviewFiles,
  type ReviewOrigin,
} from "../config/edit/index.ts";
import { type ClaimChange, isMove } from "../model/change.ts";
import { type Claim, type ClaimState, correctedKey, type MovedFigure, type MovedSource } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import { claimKey, claimOf } from "../model/dependencies.ts";
import type { Firing } from "../model/firing.ts";
import type { Source } from "../model/source.ts";
import type { Place } from "../model/words.ts";
import { addressLines } from "../report/cite/addresses.ts";
import { linesLike, sentencePlace, type TextPlace } from "../report/edit/edit-sentence.ts";
import type { FileChange } from "../report/edit/splice.ts";
import type { GivenAnswer } from "./answer/answers.ts";
import { addressOf, type Link } from "./issue/question.ts";

/** A sentence of the report that its source no longer supports. */
export interface UntrueSentence {
  readonly claim: Claim;
  readonly firing: Firing;
  /** The new state of the passage; undefined if a condition of the claim's `until` ends the claim. */
  readonly change?: ClaimChange;
  /** The figure that the source has replaced, if that is certain. */
  readonly figure?: MovedFigure;
}

/** The sentences that firings are about, each with its newest change, in the order of the firings. */
export function untrueSentences(firings: readonly Firing[], config: Config): UntrueSentence[] {
  const newest = new Map<string, UntrueSentence>();
  for (const firing of firings) {
    for (const { change, claim: key, part } of firing.evidence) {
      const claim = claimOf(change.kind === "claim" ? (key ?? change.claim) : key, config);
      if (!claim || (change.kind !== "claim" && part !== "until")) continue;
      const before = newest.get(claimKey(claim));
      if (before && before.firing.seen >= firing.seen) continue;
      const own = change.kind === "claim" ? change : undefined;
      const figure = own && movedFigure(claim, own);
      newest.set(claimKey(claim), { claim, firing, change: own, figure });
    }
  }
  return [...newest.values()].filter(({ change }) => change?.to !== "supported" || isMove(change));
}

/** The corrections of sentences and addresses that answers accept. */
export function acceptedEdits(
  answers: readonly GivenAnswer[],
  firings: readonly Firing[],
  { config, link }: { readonly config: Config; readonly link: Link },
): Required<Pick<ReviewOrigin, "corrections" | "moves">> {
  const changes = firings.flatMap(({ evidence }) => evidence.map(({ change }) => change));
  const corrections = answers.flatMap(({ rating, level }) => {
    const claim = claimOf(correctedKey(rating), config);
    const figures = changes.flatMap((change) => {
      const isAbout = claim && change.kind === "claim" && change.claim === claimKey(claim);
      return (isAbout && movedFigure(claim, change)) || [];
    });
    const figure = figures.find(({ now }) => now === level);
    return claim && figure ? [{ claim, figure }] : [];
  });
  const moves = movedSources(firings, config, link).filter(({ source, now }) =>
    answers.some(({ rating, level }) => correctedKey(rating) === source && level === now),
  );
  return { corrections, moves };
}

/** A sentence with its place in the report, and its edit or the reason why there is none. */
export interface OfferedSentence extends UntrueSentence {
  /** The report's file, if it is known. */
  readonly path?: string;
  readonly places: readonly (TextPlace & { readonly after?: string })[];
  /** Lines that have the same figure in other words: people edit them. */
  readonly like?: readonly number[];
  readonly says?: string;
}

/** Addresses that can be written in any kind of report without being escaped. */
const plainAddress = /^https?:\/\/[^\s()<>"'`[\]\\|{}^]{1,1000}$/;

/** The sources that moved, each with its newest address, if people open it at the address in config. */
export function movedSources(firings: readonly Firing[], config: Config, link: Link): MovedSource[] {
  const inOrder = firings.toSorted((a, b) => a.seen - b.seen).flatMap(({ evidence }) => evidence);
  const moves = inOrder.flatMap(({ source: id, change }) => {
    const source = config.sources.get(id);
    const now = change.kind === "link" && change.to === "moved" && change.address;
    if (!source || !now || !plainAddress.test(now) || link(source) !== source.address) return [];
    return [{ source: id, old: source.address, now }];
  });
  return [...new Map(moves.map((move) => [move.source, move])).values()];
}

export interface Offer {
  readonly sentences: readonly OfferedSentence[];
  readonly corrections: readonly Correction[];
  /** The sources whose addresses can be replaced. */
  readonly moves: readonly MovedSource[];
  /** All edits: of sentences, claims and addresses. */
  readonly changes: readonly FileChange[];
}

/** Finds the sentences in the report, and makes the edits that are certain. Pure. */
export function offerOf(
  sentences: readonly UntrueSentence[],
  files: ReviewFiles | undefined,
  moved: readonly MovedSource[] = [],
): Offer {
  const text = files?.text?.byHand === undefined ? files?.text : undefined;
  const offered = sentences.map((one): OfferedSentence => {
    const { claim, figure } = one;
    const found = text && sentencePlace(text.path, text.text, claim.says);
    const where = { ...one, path: text?.path, places: found ? [found] : [] };
    if (!figure || !files) return where;
    const { problems, places } = editFigures([{ claim, figure }], files);
    const [problem] = problems;
    if (problem || !text) return { ...where, says: problem?.says };
    return { ...where, places, like: isLink(figure) ? [] : linesLike(text, claim.says, figure, places) };
  });
  const corrections = offered.flatMap(({ claim, figure, says }) =>
    figure && files && says === undefined ? [{ claim, figure }] : [],
  );
  if (!files) return { sentences: offered, corrections: [], moves: [], changes: [] };
  const moves = moved.filter((move) => changesOf(files, editAddresses(files, [move])).length > 0);
  const changes = changesOf(files, editAddresses(editFigures(corrections, files).files, moves));
  return { sentences: offered, corrections, moves, changes };
}

function changesOf({ text, sources }: ReviewFiles, now: ReviewFiles): FileChange[] {
  return [
    ...(text && now.text ? [{ path: text.path, before: text.text, after: now.text.text }] : []),
    { path: sources.path, before: sources.text, after: now.sources.text },
  ].filter(({ before, after }) => before !== after);
}

/** Whether a sentence still waits for an answer: neither corrected nor supported again since. */
export function isUntrue(
  { claim, change }: UntrueSentence,
  states: readonly ClaimState[],
  corrected: ReadonlySet<string>,
): boolean {
  const key = claimKey(claim);
  const state = states.find((one) => one.claim === key);
  const isOpen = isMove(change) ? state?.place === change?.after : state?.status !== "supported";
  return isOpen && !corrected.has(key);
}

/** Finds the line of a claim's sentence, else the line that cites the source, or one with another address of it. */
export type PlaceInReport = (source: Source | undefined, claim?: Claim, cited?: string) => Place | undefined;

/** Finds lines in the report. `link`: the addresses of sources for people. Pure. */
export function placesIn(report: ReviewFiles["text"], link: Link = addressOf): PlaceInReport | undefined {
  if (!report || report.byHand !== undefined) return undefined;
  const { path, text } = report;
  const lineOfAddress = addressLines(text);
  return (source, claim, cited) => {
    const address = cited ?? (source && link(source));
    const ofClaim = claim && sentencePlace(path, text, claim.says)?.line;
    const line = ofClaim ?? (address === undefined ? undefined : lineOfAddress(address));
    return line === undefined ? undefined : { file: path, line };
  };
}
