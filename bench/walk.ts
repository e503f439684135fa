import { createHash, randomBytes } from "node:crypto";
import type { Doc, Revision, Snippet } from "../src/faces/cli/corpus.ts";
import { Failure } from "../src/model/failure.ts";
import type { Change, Firing, Instant, Look, Source } from "../src/model/model.ts";
import type { Clock, Fetch, Fetched, Watch } from "../src/model/ports/index.ts";
import { aDay, aMinute } from "../src/model/time.ts";
import type { Access, Reader } from "../src/read/reader.ts";
import { check, type World } from "../src/watch/check.ts";
import { evaluateTime } from "../src/watch/evaluate.ts";
import { settle } from "../src/watch/scan.ts";

/** A document that a source watches; GitHub's releases and commits have two addresses, one of them for a token. */
export interface Watched {
  readonly doc: Doc;
  readonly source: Source;
  readonly access: Access;
}

/** A look that saw other bytes than the last one: what a monitor of raw changes would tell. */
export interface RawChange {
  readonly doc: string;
  readonly rev: number;
  readonly at: Instant;
}

export interface Replayed {
  readonly firings: readonly ReplayedFiring[];
  /** Firings of time alone: age and silence. */
  readonly ofTime: readonly Firing[];
  readonly looks: number;
  /** Looks that saw nothing, by document, and why the last of them did not. */
  readonly unknown: ReadonlyMap<string, { readonly looks: number; readonly says: string }>;
  readonly rawChanges: readonly RawChange[];
}

export type ReplayWorld = World & { readonly clock: { set(at: Instant): void } };

/** When a document is looked at: a minute after each revision, and otherwise once a day until the end. */
function* lookTimes({ revisions }: Doc, end: Instant): Generator<Instant> {
  for (const [index, { date }] of revisions.entries()) {
    const until = revisions[index + 1]?.date ?? end;
    for (let at = date + aMinute; at < until + aMinute; at += aDay) yield at;
  }
}

/** One watched document on its way through time. */
interface Course extends Watched {
  readonly times: Iterator<Instant, void>;
  watch?: Watch;
  /** Of the last response, whether or not it could be read. */
  hash?: string;
  /** At this look the bytes were others than at the last one. */
  moved?: boolean;
  /** A second look that is planned already. */
  again?: Instant;
}

interface Planned {
  readonly course: Course;
  /** One of those that come by themselves, not a second look. */
  readonly regular: boolean;
}

/** Walks simulated time: every document looked at when it is due, and again where a second look is wanted. */
export async function walk(watched: readonly Watched[], world: ReplayWorld): Promise<Replayed> {
  const end = Math.max(...watched.flatMap(({ doc }) => doc.revisions.map(({ date }) => date))) + 2 * aDay;
  const courses = watched.map((one): Course => ({ ...one, times: lookTimes(one.doc, end) }));
  const agenda = new Agenda<Planned>();
  for (const course of courses) planNext(course, agenda);
  const known = new Set<string>();
  const firings: ReplayedFiring[] = [];
  const ofTime = new Map<string, Firing>();
  const unknown = new Map<string, { looks: number; says: string }>();
  const rawChanges: RawChange[] = [];
  let looks = 0;
  let today = 0;

  for (let next = agenda.next(); next; next = agenda.next()) {
    const { course, regular } = next.what;
    const { doc } = course;
    world.clock.set(next.at);
    looks++;
    const look = await lookAt(course, world);
    if (look.failure) unknown.set(doc.doc, { looks: (unknown.get(doc.doc)?.looks ?? 0) + 1, says: look.failure.says });
    if (course.moved) rawChanges.push({ doc: doc.doc, rev: revisionAt(doc, next.at)?.rev ?? 0, at: next.at });
    firings.push(...tell(look, doc, known));
    if (regular) planNext(course, agenda);
    if (look.secondLook !== undefined && look.secondLook !== course.again) {
      course.again = look.secondLook;
      agenda.plan(look.secondLook, { course, regular: false });
    }
    if (Math.floor(next.at / aDay) > today) {
      today = Math.floor(next.at / aDay);
      for (const firing of timePassed(courses, world, next.at)) ofTime.set(keyOf(firing), firing);
    }
  }
  return { firings, ofTime: [...ofTime.values()], looks, unknown, rawChanges };
}

function planNext(course: Course, agenda: Agenda<Planned>): void {
  const at = course.times.next().value;
  if (at !== undefined) agenda.plan(at, { course, regular: true });
}

/** The product's own look, and what it makes of one that failed. */
async function lookAt(course: Course, world: ReplayWorld): Promise<Look> {
  const { source, access } = course;
  const before = course.watch;
  const checked = await check(source, before, { ...world, access, fetch: noting(course, world.fetch) });
  if (checked.kept) {
    course.watch = (await world.store.watches()).find((watch) => watch.source === source.id);
    return checked.look;
  }
  course.watch = checked.watch;
  if (!checked.failure) return checked.look;
  return { ...checked.look, firings: await settle(source, before, checked, world) };
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

/** The sources of a config that watch these documents, with a token where the document is what a token asks for. */
export function watchedIn(docs: readonly Doc[], { config, readers }: Pick<World, "config" | "readers">): Watched[] {
  const byAddress = new Map(docs.map((doc) => [addressOf(doc.url), doc]));
  return [...config.sources.values()].flatMap((source): Watched[] => {
    for (const access of [{ githubToken: true }, { githubToken: false }]) {
      const asked = readers.get(source.kind)?.request(source, access).url;
      const doc = asked === undefined ? undefined : byAddress.get(addressOf(asked));
      if (doc) return [{ doc, source, access }];
    }
    return [];
  });
}

/** What is planned, by time; what was planned first goes first. */
class Agenda<T> {
  private readonly heap: { at: Instant; order: number; what: T }[] = [];
  private order = 0;

  plan(at: Instant, what: T): void {
    this.heap.push({ at, order: this.order++, what });
    let child = this.heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.before(child, parent)) break;
      this.swap(child, parent);
      child = parent;
    }
  }

  next(): { at: Instant; what: T } | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (last && this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    return first;
  }

  private sink(): void {
    for (let parent = 0; ; ) {
      const least = [2 * parent + 1, 2 * parent + 2]
        .filter((child) => child < this.heap.length)
        .reduce((best, child) => (this.before(child, best) ? child : best), parent);
      if (least === parent) return;
      this.swap(least, parent);
      parent = least;
    }
  }

  private before(a: number, b: number): boolean {
    const [left, right] = [this.heap[a], this.heap[b]];
    return (
      left !== undefined &&
      right !== undefined &&
      (left.at < right.at || (left.at === right.at && left.order < right.order))
    );
  }

  private swap(a: number, b: number): void {
    const [left, right] = [this.heap[a], this.heap[b]];
    if (left && right) [this.heap[a], this.heap[b]] = [right, left];
  }
}

/** A web that serves each document at its address as it stood at the clock's time; before its first revision, 404. */
export function corpusWeb(docs: readonly Doc[], clock: Clock, snippets: readonly Snippet[]): Fetch {
  const served = new Map(docs.map((doc) => [addressOf(doc.url), doc]));
  return {
    async get(request, { validators, answers }): Promise<Fetched> {
      const revision = revisionAt(served.get(addressOf(request.url)), clock.now());
      const status = revision?.status ?? 404;
      if (status >= 400 && !answers?.includes(status)) {
        throw new Failure(status === 404 || status === 410 ? "not-found" : "status", { status });
      }
      const snippet = snippets.find(({ host }) => host === new URL(request.url).host);
      const body = revision ? decorated(revision.body, snippet, clock) : new Uint8Array();
      const etag = revision?.headers.etag;
      if (!snippet && etag !== undefined && validators?.etag === etag) return { kind: "not-modified" };
      const headers = { ...revision?.headers };
      const hash = createHash("sha256").update(body).digest("hex");
      const response = { url: request.url, status, headers, body };
      return { kind: "response", response, validators: { etag, lastModified: headers["last-modified"] }, hash };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}

/** The revision that a document's address serves at a time. */
function revisionAt(doc: Doc | undefined, at: number): Revision | undefined {
  return doc?.revisions.findLast(({ date }) => date <= at);
}

/** GitHub's API is answered by path and what matters of the query, everything else by exact address. */
function addressOf(url: string): string {
  const { host, pathname, searchParams, href, hash } = new URL(url);
  if (host !== "api.github.com") return href.slice(0, href.length - hash.length);
  const path = searchParams.get("path")?.replace(/^\/|\/$/g, "");
  return `https://${host}${pathname.toLowerCase()}${path ? `?path=${path}` : ""}`;
}

/** The page as the host serves it: with its snippet, and tokens that are new at every request. */
function decorated(body: Uint8Array, snippet: Snippet | undefined, clock: Clock): Uint8Array {
  if (!snippet) return body;
  const html = Buffer.from(body).toString("utf8");
  const at = html.lastIndexOf(snippet.before);
  if (at < 0) return body;
  const time = Buffer.from(String(Math.floor(clock.now() / 1000))).toString("base64");
  const script = snippet.html.replaceAll("{{RAY}}", randomBytes(8).toString("hex")).replaceAll("{{T}}", time);
  return Buffer.from(html.slice(0, at) + script + html.slice(at));
}

/** One thing that a monitor would tell a person. */
export interface Message {
  readonly doc: string;
  readonly rev: number;
  readonly at: Instant;
  /** Where it says which; monitors that know no triggers mean all of them. */
  readonly trigger?: string;
  /** It only adds to what was told; no message of its own. */
  readonly silent?: boolean;
}

/** What a monitor of changed bytes tells. */
export function ofRawChanges({ rawChanges }: Replayed): Message[] {
  return [...rawChanges];
}

/** What Recheck tells. */
export function ofRecheck({ firings }: Replayed): Message[] {
  return firings.map((firing) => ({ ...firing, at: Date.parse(firing.at), silent: !firing.new }));
}

/** Whether a kind lists what comes out, whatever its options: releases, posts, tags. */
function isList({ gives }: Reader): boolean {
  const { items, commits } = gives({});
  return items === true && commits !== true;
}

/** What a watcher of versions tells: each entry with a version in it that a list, feed or index did not have before. */
export async function ofVersions(
  watched: readonly Watched[],
  readers: ReadonlyMap<string, Reader>,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (const { doc, source } of watched) {
    const reader = readers.get(source.kind);
    if (!reader || !isList(reader)) continue;
    let known: Set<string> | undefined;
    for (const { rev, date, status, headers, body } of doc.revisions) {
      if (status >= 400) continue;
      const { items = [] } = await reader.read({ url: doc.url, status, headers, body }, source);
      const versions = items.map(({ version, title }) => version ?? title).filter((text) => /\d\.\d/.test(text));
      const before = known;
      const fresh = before ? versions.filter((version) => !before.has(version)) : [];
      messages.push(...fresh.map(() => ({ doc: doc.doc, rev, at: date + aMinute })));
      known = new Set([...(before ?? []), ...versions]);
    }
  }
  return messages;
}

/** A firing that a document caused, in the revision in which its evidence was first seen. */
export interface ReplayedFiring {
  readonly doc: string;
  readonly rev: number;
  readonly at: string;
  readonly trigger: string;
  readonly event: string;
  /** False where it only adds evidence to a firing that was there. */
  readonly new: boolean;
}

/**
 * The firings of one look. What a look sees in the text, the claims and the facts of a document is one event for a
 * trigger, however many conditions it meets; where the document announces a version by it, it is that one.
 */
function tell(look: Look, doc: Doc, known: Set<string>): ReplayedFiring[] {
  const told = new Set<string>();
  return look.firings.toSorted(releasesFirst).map((firing) => {
    const { trigger, event, evidence } = firing;
    const key = JSON.stringify([trigger, event.key]);
    const again = known.has(key) || (isText(firing) && told.has(trigger));
    known.add(key);
    if (isText(firing) || event.product !== undefined) told.add(trigger);
    const seen = Math.min(...evidence.filter(({ source }) => source === look.source).map((piece) => piece.seen));
    const revision = revisionAt(doc, Number.isFinite(seen) ? seen : look.at);
    const at = new Date(look.at).toISOString();
    return { doc: doc.doc, rev: revision?.rev ?? 0, at, trigger, event: event.key, new: !again };
  });
}

const textual: ReadonlySet<Change["kind"]> = new Set(["block", "claim", "fact", "link"]);

function isText({ evidence }: Firing): boolean {
  return evidence.every(({ change }) => textual.has(change.kind));
}

function releasesFirst(a: Firing, b: Firing): number {
  return Number(b.event.product !== undefined) - Number(a.event.product !== undefined);
}
