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
import { firstLine, type Mark, markOf, splitAtSection } from "./issue/marker.ts";
import { isKnown } from "./issue/question.ts";
import { isUnasked } from "./plan.ts";
import type { Outbox, Recovered } from "./run.ts";

interface Stranger {
  readonly issue: DatedIssue;
  readonly mark: Mark;
}

/**
 * Finds rechecks again where the memory was lost or restored from an older state, by the hidden lines of their issues
 * with the events that these mention. Runs before anything is planned. Lists issues only where no recheck is
 * remembered, or something waits to be asked about; with `always`, in any case. Undefined where issues were not listed.
 * @throws GitHubProblem
 */
export async function recover(
  outbox: Outbox,
  github: GitHub & PastIssues,
  { always = false } = {},
): Promise<Recovered | undefined> {
  const { store } = outbox;
  const before = await store.rechecks();
  const isSure = before.some(({ issue }) => issue !== undefined) && before.every(({ state }) => state !== "planned");
  if (!always && isSure && !(await store.firings()).some(isUnasked)) return undefined;
  const recovered: Recovered = { adopted: [], answered: [] };
  const strangers = strangersAmong(await github.ownIssues(), before, outbox);
  for (const stranger of strangers.filter(({ issue }) => issue.state === "open")) {
    if (await adopt(stranger, outbox, github)) recovered.adopted.push(stranger.issue.number);
  }
  for (const stranger of strangers.filter(({ issue }) => issue.state === "closed")) {
    await recall(stranger, outbox);
    const { number: issue, closed = 0 } = stranger.issue;
    const told = idsOf(await toldBy(stranger, store));
    if (told.length === 0) continue;
    await store.openRecheck({ ...recordOf(stranger), state: "closed", issue, closed }, told);
    recovered.answered.push(issue);
  }
  return recovered;
}

/** Issues that are ours by their hidden line, but known neither by number nor by marker. */
function strangersAmong(issues: readonly DatedIssue[], known: readonly StoredRecheck[], outbox: Outbox): Stranger[] {
  const numbers = new Set(known.map(({ issue }) => issue));
  const markers = new Set(known.map(({ marker }) => marker));
  return issues.flatMap((issue) => {
    const mark = markOf(issue.body);
    if (!mark || numbers.has(issue.number) || !/^[0-9a-f]{6,64}$/.test(mark.marker)) return [];
    return markers.has(mark.marker) || !isKnown(mark.trigger, outbox.config) ? [] : [{ issue, mark }];
  });
}

/** Makes an open issue the recheck of its trigger, unless that already has an issue. */
async function adopt(stranger: Stranger, outbox: Outbox, github: GitHub): Promise<boolean> {
  const { store, clock } = outbox;
  const { issue, mark } = stranger;
  const open = (await store.rechecks()).filter(isAsking).find(({ trigger }) => trigger === mark.trigger);
  if (open?.issue !== undefined) return false;
  const fed = (await store.firings()).filter(({ recheck }) => open && recheck === open.id);
  await keepForReading(stranger, [...fed, ...(await toldBy(stranger, store))], clock.now(), github);
  await recall(stranger, outbox);
  const told = idsOf(await toldBy(stranger, store));
  if (open) {
    await store.updateRecheck(open.id, { state: "open", issue: issue.number, attempted: issue.opened });
    await store.joinRecheck(open.id, told, clock.now());
  } else await store.openRecheck({ ...recordOf(stranger), state: "open", issue: issue.number }, told);
  return true;
}

function recordOf({ issue: { opened, body }, mark }: Stranger): Omit<RecheckRecord, "id"> {
  const tells = firstLine(splitAtSection(body).section);
  return { trigger: mark.trigger, marker: mark.marker, opened, attempted: opened, tells };
}

/**
 * Remembers the events that an issue mentions, so that they are recognised when they are seen again. Their evidence is
 * lost. Events of a catch-up belong to triggers that it does not name.
 */
async function recall({ issue, mark }: Stranger, { store }: Outbox): Promise<void> {
  const { events, contrary = events.length, trigger } = mark;
  if (trigger === builtIn.catchUp) return;
  const known = new Set((await store.firings()).filter((one) => one.trigger === trigger).map(({ event }) => event.key));
  const firings = events.flatMap((key, place): Firing[] => {
    if (typeof key !== "string" || key === "" || known.has(key)) return [];
    const weight = place < contrary ? "contrary" : "routine";
    return [{ trigger, event: { key }, weight, seen: issue.opened, fired: issue.opened, evidence: [] }];
  });
  if (firings.length > 0) await store.commit((tx) => tx.fire(firings));
}

/** Firings waiting to be asked about that the issue mentions with the weight that they have now. */
async function toldBy({ mark }: Stranger, store: Outbox["store"]): Promise<StoredFiring[]> {
  const { events, contrary = events.length, trigger: by } = mark;
  const places = new Map(events.map((key, place) => [key, place]));
  return (await store.firings()).filter(({ recheck, trigger, event, weight }) => {
    const place = places.get(event.key);
    if (recheck !== undefined || place === undefined || (trigger !== by && by !== builtIn.catchUp)) return false;
    return weight === "routine" || place < contrary;
  });
}

const idsOf = (firings: readonly StoredFiring[]): number[] => firings.map(({ id }) => id);

const kept = "<!-- recheck:kept -->";

/** Characters of an old section that stay in the issue; GitHub allows 65,536 in all. */
const maxKeptSectionCharacters = 20_000;

/**
 * Keeps the old section as text below the new one, which is written from what is known now: nothing else has what it
 * told.
 */
async function keepForReading(
  { issue, mark }: Stranger,
  known: readonly StoredFiring[],
  at: Instant,
  github: GitHub,
): Promise<void> {
  const keys = new Set(known.map(({ event }) => event.key));
  const lost = mark.events.filter((key) => !keys.has(key));
  if (lost.length === 0 || issue.body.includes(kept)) return;
  const { before, section, after } = splitAtSection(issue.body);
  const text = section.replaceAll("<!-- recheck:", "<!-- once:").replace(/^- \[[ xX]\] /gm, "- ");
  const list = `${lost.map((key) => `- ${code(key)}`).join("\n")}\n\nThe rest is in the history of this description.`;
  const summary = `Told before ${day(at)}, when what Recheck remembered was lost`;
  const block = (inner: string) =>
    `\n\n${kept}\n<details><summary>${summary}</summary>\n\n${inner.trim()}\n\n</details>`;
  const left = maxBodyCharacters - lengthOnGitHub(issue.body);
  const fitting = [text, list]
    .map(block)
    .find((one) => lengthOnGitHub(one) <= Math.min(maxKeptSectionCharacters, left));
  if (fitting === undefined) return;
  await github.updateIssue(issue.number, { body: `${before}${section}${fitting}${after}` });
}
