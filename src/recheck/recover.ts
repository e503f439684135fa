import { builtIn, type Firing } from "../model/firing.ts";
import { code, lengthOnGitHub } from "../model/markdown.ts";
import {
  type DatedIssue,
  type GitHub,
  isAsking,
  type PastIssues,
  type RecheckRecord,
  type StoredFiring,
  type StoredRecheck,
} from "../model/ports/index.ts";
import { day, type Instant } from "../model/time.ts";
import { maxBodyCharacters } from "./issue/layout.ts";
import { firstLine, type Mark, markOf, mentionsOf, splitAtSection } from "./issue/marker.ts";
import { isKnown } from "./issue/question.ts";
import { idsOf, isUnasked } from "./plan.ts";
import type { Outbox, RestoredIssues } from "./run.ts";

interface LostIssue {
  readonly issue: DatedIssue;
  readonly mark: Mark;
}

/**
 * Restores rechecks from the hidden lines of their issues, after the store was lost or replaced by an older copy. Runs
 * before planning. Lists issues only if the store has no recheck, or if a firing has no question yet; with `always`, in
 * any case. Undefined if it listed no issues. @throws GitHubProblem
 */
export async function recover(
  outbox: Outbox,
  github: GitHub & PastIssues,
  { always = false } = {},
): Promise<RestoredIssues | undefined> {
  const { store } = outbox;
  const before = await store.rechecks();
  const isSure = before.some(({ issue }) => issue !== undefined) && before.every(({ state }) => state !== "planned");
  if (!always && isSure && !(await store.firings()).some(isUnasked)) return undefined;
  const recovered: RestoredIssues = { adopted: [], answered: [] };
  const lostIssues = findLostIssues(await github.ownIssues(), before, outbox);
  for (const lostIssue of lostIssues.filter(({ issue }) => issue.state === "open")) {
    if (await adopt(lostIssue, outbox, github)) recovered.adopted.push(lostIssue.issue.number);
  }
  for (const lostIssue of lostIssues.filter(({ issue }) => issue.state === "closed")) {
    await recall(lostIssue, outbox);
    const { number: issue, closed = 0 } = lostIssue.issue;
    const mentioned = idsOf(await mentionedBy(lostIssue, store));
    if (mentioned.length === 0) continue;
    await store.openRecheck({ ...recordOf(lostIssue), state: "closed", issue, closed }, mentioned);
    recovered.answered.push(issue);
  }
  return recovered;
}

/** Issues with our hidden line whose number and marker are both not in the store. */
function findLostIssues(
  issues: readonly DatedIssue[],
  rechecks: readonly StoredRecheck[],
  outbox: Outbox,
): LostIssue[] {
  const numbers = new Set(rechecks.map(({ issue }) => issue));
  const markers = new Set(rechecks.map(({ marker }) => marker));
  return issues.flatMap((issue) => {
    const mark = markOf(issue.body);
    if (!mark || numbers.has(issue.number) || !/^[0-9a-f]{6,64}$/.test(mark.marker)) return [];
    return markers.has(mark.marker) || !isKnown(mark.trigger, outbox.config) ? [] : [{ issue, mark }];
  });
}

/** Makes an open issue the recheck of its trigger, unless the trigger already has an issue. */
async function adopt(lostIssue: LostIssue, outbox: Outbox, github: GitHub): Promise<boolean> {
  const { store, clock } = outbox;
  const { issue, mark } = lostIssue;
  const openRecheck = (await store.rechecks()).filter(isAsking).find(({ trigger }) => trigger === mark.trigger);
  if (openRecheck?.issue !== undefined) return false;
  const fed = (await store.firings()).filter(({ recheck }) => openRecheck && recheck === openRecheck.id);
  await keepForReading(lostIssue, [...fed, ...(await mentionedBy(lostIssue, store))], clock.now(), github);
  await recall(lostIssue, outbox);
  const mentioned = idsOf(await mentionedBy(lostIssue, store));
  if (openRecheck) {
    await store.updateRecheck(openRecheck.id, { state: "open", issue: issue.number, attempted: issue.opened });
    await store.joinRecheck(openRecheck.id, mentioned, clock.now());
  } else await store.openRecheck({ ...recordOf(lostIssue), state: "open", issue: issue.number }, mentioned);
  return true;
}

function recordOf({ issue: { opened, body }, mark }: LostIssue): Omit<RecheckRecord, "id"> {
  const reported = firstLine(splitAtSection(body).section);
  return { trigger: mark.trigger, marker: mark.marker, opened, attempted: opened, reported };
}

/**
 * Stores the events that an issue mentions, so that they do not fire again. Their evidence is lost. Events of a catch-up
 * are skipped: it does not name their triggers.
 */
async function recall({ issue, mark }: LostIssue, { store }: Outbox): Promise<void> {
  const { events, contrary = events.length, trigger } = mark;
  if (trigger === builtIn.catchUp) return;
  const storedKeys = new Set(
    (await store.firings()).filter((one) => one.trigger === trigger).map(({ event }) => event.key),
  );
  const firings = events.flatMap((key, place): Firing[] => {
    if (typeof key !== "string" || key === "" || storedKeys.has(key)) return [];
    const weight = place < contrary ? "contrary" : "routine";
    return [{ trigger, event: { key }, weight, seen: issue.opened, fired: issue.opened, evidence: [] }];
  });
  if (firings.length > 0) await store.commit((tx) => tx.fire(firings));
}

/** Firings without a recheck that the issue mentions with their present weight. */
async function mentionedBy({ mark }: LostIssue, store: Outbox["store"]): Promise<StoredFiring[]> {
  const isMentioned = mentionsOf(mark);
  const isOfTrigger = ({ trigger }: Firing) => trigger === mark.trigger || mark.trigger === builtIn.catchUp;
  return (await store.firings()).filter((one) => one.recheck === undefined && isOfTrigger(one) && isMentioned(one));
}

const keptMark = "<!-- recheck:kept -->";

/** Characters of an old section that are kept in the issue; GitHub allows 65,536 in all. */
const maxKeptSectionCharacters = 20_000;

/** Keeps the old section as text below the new one: its evidence is no longer in the store. */
async function keepForReading(
  { issue, mark }: LostIssue,
  firings: readonly StoredFiring[],
  at: Instant,
  github: GitHub,
): Promise<void> {
  const keys = new Set(firings.map(({ event }) => event.key));
  const lost = mark.events.filter((key) => !keys.has(key));
  if (lost.length === 0 || issue.body.includes(keptMark)) return;
  const { before, section, after } = splitAtSection(issue.body);
  const text = section.replaceAll("<!-- recheck:", "<!-- once:").replace(/^- \[[ xX]\] /gm, "- ");
  const list = `${lost.map((key) => `- ${code(key)}`).join("\n")}\n\nThe rest is in the history of this description.`;
  const summary = `Shown before ${day(at)}, when Recheck's memory was lost`;
  const block = (inner: string) =>
    `\n\n${keptMark}\n<details><summary>${summary}</summary>\n\n${inner.trim()}\n\n</details>`;
  const left = maxBodyCharacters - lengthOnGitHub(issue.body);
  const fitting = [text, list]
    .map(block)
    .find((one) => lengthOnGitHub(one) <= Math.min(maxKeptSectionCharacters, left));
  if (fitting === undefined) return;
  await github.updateIssue(issue.number, { body: `${before}${section}${fitting}${after}` });
}
