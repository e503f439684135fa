import type { CorpusDocument, WatchedDocument } from "../src/faces/cli/backtest/corpus.ts";
import type { Check } from "../src/model/check.ts";
import type { Firing } from "../src/model/firing.ts";
import type { Fetch, Watch } from "../src/model/ports/index.ts";
import { aDay, aMinute, type Instant } from "../src/model/time.ts";
import { check, type World } from "../src/watch/check.ts";
import { evaluateTime } from "../src/watch/evaluate.ts";
import { settle } from "../src/watch/scan.ts";
import { Agenda } from "./agenda.ts";
import { revisionAt } from "./corpus-web.ts";
import { firingsOf, type ReplayedFiring } from "./firings.ts";

/** A check with other bytes than the last one: a monitor of raw changes would report it. */
export interface RawChange {
  readonly doc: string;
  readonly rev: number;
  readonly at: Instant;
}

export interface Replayed {
  readonly firings: readonly ReplayedFiring[];
  /** Firings of time alone: age and silence. */
  readonly ofTime: readonly Firing[];
  readonly checks: number;
  /** Checks that saw nothing, by document, and why the last of them did not. */
  readonly unknown: ReadonlyMap<string, { readonly checks: number; readonly says: string }>;
  readonly rawChanges: readonly RawChange[];
}

export type ReplayWorld = World & { readonly clock: { set(at: Instant): void } };

/** When a document is checked: a minute after each revision, and otherwise once a day until the end. */
function* checkTimes({ revisions }: CorpusDocument, end: Instant): Generator<Instant> {
  for (const [index, { date }] of revisions.entries()) {
    const until = revisions[index + 1]?.date ?? end;
    for (let at = date + aMinute; at < until + aMinute; at += aDay) yield at;
  }
}

/** One watched document on its way through time. */
interface Course extends WatchedDocument {
  readonly times: Iterator<Instant, void>;
  watch?: Watch;
  /** From the last response, whether or not it could be parsed. */
  hash?: string;
  /** At this check the bytes were others than at the last one. */
  moved?: boolean;
  /** A second check that is planned already. */
  again?: Instant;
}

interface Planned {
  readonly course: Course;
  /** One of those that come by themselves, not a second check. */
  readonly regular: boolean;
}

/** Walks simulated time: checks every document when it is due, and again if a second check is wanted. */
export async function walk(watched: readonly WatchedDocument[], world: ReplayWorld): Promise<Replayed> {
  const end = Math.max(...watched.flatMap(({ doc }) => doc.revisions.map(({ date }) => date))) + 2 * aDay;
  const courses = watched.map((one): Course => ({ ...one, times: checkTimes(one.doc, end) }));
  const agenda = new Agenda<Planned>();
  for (const course of courses) planNext(course, agenda);
  const known = new Set<string>();
  const firings: ReplayedFiring[] = [];
  const ofTime = new Map<string, Firing>();
  const unknown = new Map<string, { checks: number; says: string }>();
  const rawChanges: RawChange[] = [];
  let checks = 0;
  let today = 0;

  for (let next = agenda.next(); next; next = agenda.next()) {
    const { course, regular } = next.what;
    const { doc } = course;
    world.clock.set(next.at);
    checks++;
    const check = await checkAt(course, world);
    if (check.failure)
      unknown.set(doc.doc, { checks: (unknown.get(doc.doc)?.checks ?? 0) + 1, says: check.failure.says });
    if (course.moved) rawChanges.push({ doc: doc.doc, rev: revisionAt(doc, next.at)?.rev ?? 0, at: next.at });
    firings.push(...firingsOf(check, doc, known));
    if (regular) planNext(course, agenda);
    if (check.secondCheck !== undefined && check.secondCheck !== course.again) {
      course.again = check.secondCheck;
      agenda.plan(check.secondCheck, { course, regular: false });
    }
    if (Math.floor(next.at / aDay) > today) {
      today = Math.floor(next.at / aDay);
      for (const firing of timePassed(courses, world, next.at)) ofTime.set(keyOf(firing), firing);
    }
  }
  return { firings, ofTime: [...ofTime.values()], checks, unknown, rawChanges };
}

function planNext(course: Course, agenda: Agenda<Planned>): void {
  const at = course.times.next().value;
  if (at !== undefined) agenda.plan(at, { course, regular: true });
}

/** The product's own check, and its record if it failed. */
async function checkAt(course: Course, world: ReplayWorld): Promise<Check> {
  const { source, access } = course;
  const before = course.watch;
  const checked = await check(source, before, { ...world, access, fetch: noting(course, world.fetch) });
  if (checked.outcome === "kept") {
    course.watch = (await world.store.watches()).find((watch) => watch.source === source.id);
    return checked.check;
  }
  course.watch = checked.watch;
  if (checked.outcome === "unchanged") return checked.check;
  return { ...checked.check, firings: await settle(source, before, checked, world) };
}

/** Notes whether the bytes are others than those before. */
function noting(course: Course, fetch: Fetch): Fetch {
  course.moved = false;
  return {
    ...fetch,
    async get(request, options) {
      const fetched = await fetch.get(request, options);
      if (fetched.kind === "response") {
        course.moved = course.hash !== undefined && fetched.hash !== course.hash;
        course.hash = fetched.hash;
      }
      return fetched;
    },
  };
}

function timePassed(courses: readonly Course[], { config }: ReplayWorld, at: Instant): Firing[] {
  const watches = new Map(courses.flatMap(({ watch }) => (watch ? [[watch.source, watch] as const] : [])));
  return evaluateTime({ config, watches, at });
}

function keyOf({ trigger, event }: Firing): string {
  return JSON.stringify([trigger, event.key]);
}
