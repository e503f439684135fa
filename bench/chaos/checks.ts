import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { examine } from "../../src/adapters/store/examine.ts";
import { campaign } from "./clock.ts";
import type { Said } from "./people.ts";
import type { Happening } from "./reports.ts";
import type { Place, World } from "./worlds.ts";

/** The rules that must hold, by GitHub's own state and the rows of the store. */

interface FiringRow {
  readonly id: number;
  readonly repository: string;
  readonly trigger: string;
  readonly key: string;
  readonly event: string;
  readonly recheck: number | null;
  readonly evidence: string;
}

interface RecheckRow {
  readonly id: number;
  readonly repository: string;
  readonly trigger: string;
  readonly state: string;
  readonly issue: number | null;
  readonly verdict: string | null;
}

interface AnswerRow {
  readonly repository: string;
  readonly recheck: number;
  readonly by: string;
}

/** All that is checked, read once. */
export interface Stored {
  readonly firings: readonly FiringRow[];
  readonly rechecks: readonly RecheckRow[];
  readonly answers: readonly AnswerRow[];
}

export function read({ store }: World): Stored | undefined {
  if (!existsSync(store)) return undefined;
  const database = new DatabaseSync(store, { readOnly: true, timeout: 2_000 });
  try {
    const all = <T>(query: string) => database.prepare(query).all() as unknown as T[];
    const evidence = "select group_concat(rest, char(10)) from evidence where evidence.firing = firing.id";
    return {
      firings: all<FiringRow>(`select firing.*, (${evidence}) as evidence from firing`),
      rechecks: all<RecheckRow>("select * from recheck"),
      answers: all<AnswerRow>("select * from answer"),
    };
  } finally {
    database.close();
  }
}

/** Finds a separate word. */
function wordIn(word: string): RegExp {
  return new RegExp(`(?<![\\w.])${word.replaceAll(".", "\\.")}(?![\\w]|\\.\\d)`);
}

/** Whether a firing is for this happening. */
function isFor({ word, trigger, named }: Happening): (firing: FiringRow) => boolean {
  const isIt = wordIn(word);
  return (firing) => firing.trigger === trigger && isIt.test(named ? firing.key : firing.evidence);
}

/** Whether the description of an issue asks about this happening. */
function asksAbout({ word, trigger, named }: Happening): (body: string) => boolean {
  const isIt = wordIn(word);
  return (body) => {
    const [line = ""] = body.slice(body.indexOf("<!-- recheck:begin")).split("\n", 1);
    return line.includes(`"trigger":"${trigger}"`) && isIt.test(named ? line : body);
  };
}

/** The work that is not done yet; empty if each event fired and is asked about, and each command of people was heard. */
export async function missing(world: World, stored: Stored | undefined): Promise<string[]> {
  const unheard = await Promise.all(world.said.map((one) => unanswered(one, world, stored)));
  return [...unasked(world, stored), ...unheard.filter((says) => says !== undefined)];
}

/** Each answer of people is kept, and answered. A person without the right to answer only gets a reply that says so. */
async function unanswered(said: Said, world: World, stored: Stored | undefined): Promise<string | undefined> {
  const { place, issue, by, what, comment } = said;
  const about = `${place.repo}#${issue}: ${what} of ${by}`;
  if (what === "note") {
    const { body } = await world.github.asPerson<{ body: string }>(
      "GET",
      `/issues/${issue}`,
      undefined,
      "author",
      place.repo,
    );
    return body.includes(String(comment)) ? undefined : `${about} is gone`;
  }
  if (by === "reader") return undefined;
  const { answers, rechecks } = ofPlace(place, world, stored);
  const isIts = ({ path }: { path: string }) => path.endsWith(`/issues/comments/${comment}/reactions`);
  // The answer counts even if GitHub refuses the reaction for good.
  const isRefused = world.github.requests.some((one) => isIts(one) && [403, 404, 409, 410, 422].includes(one.status));
  if (!isRefused && !world.github.reactions.some(isIts)) return `${about} has no reaction`;
  const recheck = rechecks.find((one) => one.issue === issue);
  if (what === "dismiss") {
    return recheck?.verdict?.includes(`"${by}"`) ? undefined : `${about} is not kept: ${recheck?.verdict}`;
  }
  return answers.some((one) => one.recheck === recheck?.id && one.by === by) ? undefined : `${about} is not kept`;
}

/** The state of each event; empty if it has one firing, in one recheck, that asks people. */
function unasked(world: World, stored: Stored | undefined): string[] {
  return world.places.flatMap((place) => {
    const own = ofPlace(place, world, stored);
    const bodies = bodiesOf(place, world);
    return place.report.truth.flatMap((one) => {
      const says = outstanding(one, own, bodies);
      return says === undefined ? [] : [`${place.repo}: ${one.word} of ${one.source}: ${says}`];
    });
  });
}

/** Rows of one repository. */
function ofPlace({ id }: Place, { kind }: World, stored: Stored | undefined): Stored {
  const isOwn = ({ repository }: { repository: string }) => kind === "command" || repository === String(id);
  const { firings = [], rechecks = [], answers = [] } = stored ?? {};
  return { firings: firings.filter(isOwn), rechecks: rechecks.filter(isOwn), answers: answers.filter(isOwn) };
}

function outstanding(
  one: Happening,
  { firings, rechecks }: ReturnType<typeof ofPlace>,
  bodies: ReadonlyMap<number, readonly string[]>,
): string | undefined {
  const firing = firings.find(isFor(one));
  if (!firing) return "no firing";
  const recheck = rechecks.find(({ id }) => id === firing.recheck);
  if (!recheck) return "in no recheck";
  if (recheck.issue === null) return `its recheck is ${recheck.state}, and no issue`;
  return bodies.get(recheck.issue)?.some(asksAbout(one)) ? undefined : `no word of it in #${recheck.issue}`;
}

/** By issue, all texts for its description that were not refused. */
function bodiesOf({ names }: Place, { github }: World): Map<number, string[]> {
  const bodies = new Map<number, string[]>();
  const isIssue = new RegExp(`^/repos/(?:${names.join("|")})/issues(?:/(\\d+))?$`);
  for (const { method, path, body, created, isDone } of github.requests) {
    const [isOwn, edited] = isIssue.exec(path) ?? [];
    const { body: text } = (body ?? {}) as { body?: unknown };
    const number = method === "POST" ? created : Number(edited);
    if (isOwn === undefined || method === "GET" || !number || typeof text !== "string" || !isDone) continue;
    bodies.set(number, [...(bodies.get(number) ?? []), text]);
  }
  return bodies;
}

/** The rules that hold at any time, whatever is under way. */
export async function wrong(world: World, stored: Stored | undefined): Promise<string[]> {
  return [
    ...twice(world, stored),
    ...strangers(world, stored),
    ...usurped(stored),
    ...adopted(world),
    ...across(world),
    ...(await stateOf(world)),
    ...world.wrongs,
    ...world.ended.flatMap(({ code, err }) =>
      code === 70 ? [`the program calls it a defect: ${err.slice(0, 600)}`] : [],
    ),
  ];
}

/** Nobody without rights changed anything. */
function usurped(stored: Stored | undefined): string[] {
  const answers = stored?.answers.filter(({ by }) => by === "reader") ?? [];
  const verdicts = stored?.rechecks.filter(({ verdict }) => verdict?.includes('"reader"')) ?? [];
  return [
    ...answers.map(({ recheck }) => `an answer of a stranger counts, in recheck ${recheck}`),
    ...verdicts.map(({ id }) => `a stranger ended recheck ${id}`),
  ];
}

/** Nothing is written to an issue of a stranger. */
function adopted({ strangers, github }: World): string[] {
  return strangers.flatMap(({ place, issue, comment }) => {
    const places = comment === undefined ? `${issue}` : `(?:${issue}|comments/${comment})`;
    const its = new RegExp(`^/repos/(?:${place.names.join("|")})/issues/${places}(?:/|$)`);
    const writes = github.requests.filter(({ method, path }) => method !== "GET" && its.test(path));
    return writes.map(({ method, path }) => `an issue of a stranger is taken for ours: ${method} ${path}`);
  });
}

/** No event fires twice, and none is in two issues. */
function twice(world: World, stored: Stored | undefined): string[] {
  return world.places.flatMap((place) => {
    const { firings } = ofPlace(place, world, stored);
    const bodies = [...bodiesOf(place, world)];
    return place.report.truth.flatMap((one) => {
      const count = firings.filter(isFor(one)).length;
      const asks = asksAbout(one);
      const issues = bodies.filter(([, texts]) => texts.some(asks)).map(([number]) => number);
      const says: string[] = [];
      if (count > 1) says.push(`${place.repo}: ${one.word} of ${one.source} fired ${count} times`);
      if (issues.length > 1) says.push(`${place.repo}: ${one.word} of ${one.source} stands in #${issues.join(", #")}`);
      return says;
    });
  });
}

/** Nothing fires that did not happen. */
function strangers(world: World, stored: Stored | undefined): string[] {
  return world.places.flatMap((place) => {
    const known = place.report.truth.map(isFor);
    const { firings } = ofPlace(place, world, stored);
    return firings
      .filter((one) => !known.some((isIt) => isIt(one)))
      .map(({ trigger, key }) => `${place.repo}: ${trigger} fired for what did not happen: ${key}`);
  });
}

/** Nothing of one report is asked of or written to another. */
function across({ web, github, places }: World): string[] {
  const says = [...web.trespasses];
  for (const { host, path, headers } of web.asked) {
    const owner = places.find(({ report }) => host.includes(`-${report.key}.`));
    if (!owner || path === "/robots.txt") continue;
    if (!headers["user-agent"]?.includes(`report-${owner.report.key}.`))
      says.push(`${host} was asked as ${headers["user-agent"]}`);
    if (headers.authorization !== undefined) says.push(`${host} was sent a token`);
  }
  for (const { path, body, method } of github.requests) {
    if (method === "GET" || !path.startsWith("/repos/")) continue;
    const text = JSON.stringify(body) ?? "";
    for (const { names, report } of places) {
      if (names.some((name) => path.startsWith(`/repos/${name}/`))) continue;
      if (new RegExp(`\\bw\\d+${report.key}\\b`).test(text)) says.push(`${path} was told of ${report.key}`);
    }
  }
  return says;
}

/** The store's own check. */
async function stateOf({ store, skew, wasClockWrong }: World): Promise<string[]> {
  if (!existsSync(store)) return [];
  const found = await examine(store, { now: campaign.now() + skew, mend: false, stoppedAfter: Infinity });
  return found
    .filter(({ of }) => of !== "disk" && !(of === "clock" && wasClockWrong))
    .flatMap(({ of, findings }) => findings.map(({ says }) => `doctor: ${of}: ${says}`));
}
