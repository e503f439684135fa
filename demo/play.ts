import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRanges } from "../src/adapters/fetch/address.ts";
import { plainText } from "../src/adapters/messages/formats.ts";
import { subjectOf } from "../src/adapters/messages/mail.ts";
import type { Config } from "../src/model/config.ts";
import { type Firing, mergeFirings } from "../src/model/firing.ts";
import type { Channel } from "../src/model/message.ts";
import type { Courier, Issue, StoredFiring, StoredRecheck } from "../src/model/ports/index.ts";
import { aMinute, type Instant } from "../src/model/time.ts";
import { readers } from "../src/read/index.ts";
import type { Outbox, SyncResult } from "../src/recheck/run.ts";
import { sync } from "../src/recheck/sync.ts";
import { sendMessages } from "../src/status/messages/send.ts";
import { type Status, status } from "../src/status/status.ts";
import { type Scan, scan } from "../src/watch/scan.ts";
import { pageOfReport } from "../src/wire/addresses.ts";
import { loadConfig } from "../src/wire/config.ts";
import { type Program, wire } from "../src/wire/program.ts";
import { type LocalGitHub, startGitHub } from "../test/github/server.ts";
import { type Day, isQuiet, type Story } from "./story.ts";
import { type LocalWeb, startWeb } from "./web.ts";

/** Plays a story: the real program, a web and a GitHub on this machine, and a clock that is set. */

/** One run of the program: it checks all due sources, and updates GitHub. */
export interface Run {
  readonly at: Instant;
  readonly scan: Scan;
  readonly synced: SyncResult;
  /** Sources that sent other bytes than at their last request. */
  readonly otherBytes: readonly string[];
  /** Requests by which GitHub was written to. */
  readonly writes: number;
  readonly mails: readonly Mail[];
}

/** A message as people get it who have mail alone. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
}

export interface PlayedDay {
  readonly day: Day;
  /** In the morning and, if a change waits for confirmation, six hours later. */
  readonly runs: readonly Run[];
  /** Minutes after each run: nothing may be written. On a quiet day everything is checked again, due or not. */
  readonly repeats: readonly Run[];
  /** After the morning. */
  readonly waiting: Status["waiting"];
}

export interface Played {
  readonly config: Config;
  readonly days: readonly PlayedDay[];
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly issues: readonly Issue[];
  readonly status: Status;
}

export interface Demo {
  readonly web: LocalWeb;
  readonly github: LocalGitHub;
  /** The folder of the store. */
  readonly data: string;
  readonly config: Config;
  /** Plays the whole story; to be called once. */
  play(onDay?: (played: PlayedDay, config: Config) => void): Promise<Played>;
  /** Ends the program; the servers stay, and so does the store. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export interface DemoOptions {
  readonly story: Story;
  /** The folder of `sources.yaml`. */
  readonly folder: string;
  /** An empty database for the store; without it, a folder that is deleted with the demo. */
  readonly database?: string;
}

const hour = 60 * aMinute;
const morning = 6 * hour;

/** Starts the servers of a story, and a program that has not checked yet. */
export async function startDemo({ story, folder, database }: DemoOptions): Promise<Demo> {
  // Config is read on the first day: all its dates are in the past then.
  const clock = { at: Math.min(...story.days.map(({ date }) => Date.parse(date))), now: () => clock.at };
  const config = await loadConfig(folder);
  const github = await startGitHub();
  const web = await startWeb({ config, readers, story, clock, github: { repo: github.repo, url: github.url } });
  const scratch = await mkdtemp(join(tmpdir(), "recheck-demo-"));
  const data = database ?? scratch;
  const program = await wire({
    config: folder,
    data,
    repo: github.repo,
    auth: { token: github.token },
    githubApi: `${web.url}/api.github.com`,
    githubComToken: github.token,
    clock,
    fetch: { origin: () => web.origin(), allowAddresses: parseRanges("127.0.0.0/8"), pause: 0, timeout: 3_000 },
    github: { patience: false, fetch: (input, init) => fetch(redirected(input, web), init) },
  });
  const leave = once(() => program.close());
  return {
    web,
    github,
    data,
    config,
    play: (onDay) => playAll({ story, clock, program, web, github }, onDay),
    leave,
    async close() {
      await leave();
      await web.close();
      await github.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Without a connection GitHub cannot be reached either. */
function redirected(input: string | URL | Request, web: LocalWeb): string {
  return String(input instanceof Request ? input.url : input).replace(web.url, web.origin());
}

interface Playing {
  readonly story: Story;
  readonly clock: { at: Instant };
  readonly program: Program;
  readonly web: LocalWeb;
  readonly github: LocalGitHub;
}

async function playAll(playing: Playing, onDay?: (played: PlayedDay, config: Config) => void): Promise<Played> {
  const { config, store } = playing.program.world;
  const days: PlayedDay[] = [];
  for (const day of playing.story.days) {
    const played = await playDay(day, playing);
    days.push(played);
    onDay?.(played, config);
  }
  const issues = await playing.github.asPerson<Issue[]>("GET", "/issues?state=all&per_page=100");
  return {
    config,
    days,
    firings: await store.firings(),
    rechecks: await store.rechecks(),
    issues: issues.map(plainIssue).sort((a, b) => a.number - b.number),
    status: await status(config, store, playing.clock.at),
  };
}

async function playDay(day: Day, playing: Playing): Promise<PlayedDay> {
  const { config, store } = playing.program.world;
  const begin = Date.parse(day.date) + morning;
  const later = begin + 6 * hour + 10 * aMinute;
  const all = isQuiet(day);
  const runs = [await runAt(begin, playing)];
  const repeats = [await runAt(begin + 5 * aMinute, playing, all)];
  const { waiting } = await status(config, store, playing.clock.at);
  if (waiting.length > 0) {
    runs.push(await runAt(later, playing));
    repeats.push(await runAt(later + 5 * aMinute, playing, all));
  }
  return { day, runs, repeats, waiting };
}

async function runAt(at: Instant, { clock, program, web, github }: Playing, all = false): Promise<Run> {
  clock.at = at;
  const before = github.requests.length;
  const scanned = await scan(program.world, { all });
  const synced = await sync({ ...program.outbox, github: program.github });
  const writes = github.requests.slice(before).filter(({ method }) => method !== "GET").length;
  return {
    at,
    scan: scanned,
    synced,
    otherBytes: web.otherBytes(),
    writes,
    mails: await mailsOf(program.outbox, pageOfReport({ repo: github.repo, githubApi: web.url })),
  };
}

/** Sends all due messages to a person who wants everything by mail. */
async function mailsOf(outbox: Outbox, repository: string | undefined): Promise<Mail[]> {
  const mails: Mail[] = [];
  const courier: Courier = {
    unready: () => undefined,
    async send(_, message) {
      mails.push({ subject: subjectOf(message), text: plainText(message) });
      return { kind: "sent" };
    },
    close: async () => {},
  };
  const person: Channel = { id: "person", by: "email", tell: ["contrary", "weekly"] };
  const config = { ...outbox.config, channels: new Map([[person.id, person]]) };
  await sendMessages({ ...outbox, config, courier, ...(repository !== undefined && { repository }) });
  return mails;
}

function plainIssue(issue: Issue & { labels: readonly unknown[]; html_url?: string }): Issue {
  const labels = issue.labels.map((label) =>
    typeof label === "string" ? label : String((label as { name: string }).name),
  );
  return { ...issue, labels, url: issue.html_url ?? issue.url };
}

/** Firings of all runs of a day, each once. */
export function firedOn({ runs }: PlayedDay): Firing[] {
  return mergeFirings(runs.flatMap(({ scan: { firings } }) => firings));
}
