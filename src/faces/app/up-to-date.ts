import { closing } from "../../model/closing.ts";
import { GitHubProblem, refusals, tolerate } from "../../model/ports/index.ts";
import { aDay, anHour, type Duration } from "../../model/time.ts";
import { updatePulls } from "../../recheck/answer/update-pulls.ts";
import { presentFiles } from "../../recheck/answer/write-pull.ts";
import type { Wait } from "../../recheck/create-once.ts";
import type { Outbox, SyncResult } from "../../recheck/run.ts";
import { sync } from "../../recheck/sync.ts";
import { sendMessages } from "../../status/messages/send.ts";
import { endOverview, writeOverview } from "./own-issues/overview.ts";
import { recoverRechecks } from "./own-issues/recover.ts";
import { open, repositoryRecord, runLogOf, type Server, type WorkApart } from "./repository.ts";
import type { AppRepository, ConfiguredRepository } from "./sandbox.ts";
import { claimSetUp, isUnclaimed } from "./set-up/claims.ts";
import { writeSetUp } from "./set-up/set-up.ts";
import { announceSilence, isOfAll } from "./troubles.ts";
import { writeMisplaced } from "./webhooks/handle.ts";

/** How often to check whether something in a repository became due by time: a snooze that ends, a text to try again. */
const quietTime: Duration = anHour;
/** How long a list of issues stays valid without news: webhooks may be lost. */
const listedFor: Duration = aDay;

/** Updates GitHub from the store of a repository: its issues and pull requests. @throws GitHubProblem */
export async function bringUpToDate(home: AppRepository, server: Server): Promise<void> {
  const { config, state } = home;
  await writeMisplaced(home);
  // A config that was not read yet, or is broken, may still exist.
  if (!state.config && !state.stale && state.broken === undefined) await endOverview(home);
  if (config) return await bringRechecks({ ...home, config }, server);
  const record = repositoryRecord(state.id, server);
  if (record.lastScan !== undefined || state.setUp?.pull) await bringSetUp(home, server);
  // The next check asks for what its claims need.
  const { setUp } = (await open(state.id, server))?.state ?? state;
  const isLeft = isUnclaimed(setUp) || state.stale;
  record.compareAt = isLeft ? undefined : home.clock.now() + quietTime;
}

async function bringSetUp(home: AppRepository, server: Server): Promise<void> {
  const { id, setUp } = home.state;
  const past = server.past.get(id);
  // The next check asks for it.
  if (isUnclaimed(setUp) && past?.commit !== setUp.head) return;
  const claimed = await claimSetUp(home, past?.readings);
  if (claimed !== "no") server.past.delete(id);
  // The pull request begins with the contradictions between the report and its sources.
  if (claimed === "checked again") return;
  const now = claimed === "claimed" ? await open(id, server) : home;
  if (now) await writeSetUp(now);
}

async function bringRechecks(home: ConfiguredRepository, server: Server): Promise<void> {
  const { config, state, store, clock, github, link } = home;
  const { troubles, stopped } = server;
  const record = repositoryRecord(state.id, server);
  const { lastScan, listed } = record;
  const begun = clock.now();
  const quiet = listed !== undefined && begun >= listed && begun - listed < listedFor;
  const catchUp = state.setUp?.catchUp;
  // Events from before the watch began are reported together, once all sources were read.
  if (catchUp && lastScan === undefined) return;
  const waits = (await runOptional("pull requests", home, server, () => updatePulls(home))) ?? [];
  // Read at most once: for issues, messages and the overview.
  let read: ReturnType<typeof presentFiles> | undefined;
  const files = () => (read ??= tolerate(presentFiles(home), ...refusals));
  const outbox: Outbox = {
    config,
    store,
    clock,
    github,
    files,
    link,
    catchUp,
    quiet,
    stopped,
    commands: true,
    paced: true,
    folder: state.config?.folder,
    // Until it is planned, there may be past events to report at once.
    planned: async () => {
      if (catchUp) await endCatchUp(home);
    },
  };
  const synced = await sync({ ...outbox, recover: () => recoverRechecks(home, outbox, record.recovery) });
  runLogOf(state, server).synced(synced);
  if (synced.problems.length > 0) record.listed = undefined;
  else if (!quiet) record.listed = begun;
  for (const problem of synced.problems) if (await troubles.note(home, problem)) return;
  const pulls = synced.adopted.length > 0 ? [{ because: "what was answered in them has its pull requests" }] : [];
  planNext(home, synced.problems, [...waits, ...synced.waiting, ...pulls], server);
  await announceSilence(home, synced.problems);
  await notifyPeople(home, files, server);
  // Before the first scan there is nothing to show.
  if (synced.problems.length > 0 || (lastScan === undefined && !state.overview)) return;
  // Also shows a permission that was refused just now.
  const now = await open(state.id, server);
  if (!now) return;
  await runOptional("overview", home, server, () => writeOverview({ ...now, config }, lastScan, files));
  planApart(home, server);
}

/** Runs an optional step that may fail at GitHub, such as an update of the overview. Undefined if it failed. */
async function runOptional<T>(what: WorkApart, home: ConfiguredRepository, server: Server, work: () => Promise<T>) {
  const key = `${what} ${home.state.id}` as const;
  if (home.clock.now() < server.apart.until(key)) return undefined;
  try {
    const done = await work();
    server.apart.succeeded(key);
    return done;
  } catch (error) {
    if (!(error instanceof GitHubProblem) || isOfAll(error)) throw error;
    if (server.stopped() && error.uncertain) throw error;
    server.apart.failed(key);
    await server.troubles.tell(home, error);
    return undefined;
  }
}

async function notifyPeople(
  { config, state, store, clock }: ConfiguredRepository,
  files: Outbox["files"],
  server: Server,
): Promise<void> {
  if (config.channels.size === 0) return;
  const { instance, stopped } = server;
  await using courier = closing(instance.courier(state, config));
  const repository = instance.page(state);
  const { link } = instance;
  const sending = { config, store, clock, courier, repository, link, files, stopped };
  runLogOf(state, server).messagesSent(await sendMessages(sending));
}

function planApart({ state: { id } }: ConfiguredRepository, server: Server): void {
  const record = repositoryRecord(id, server);
  const tries = (["pull requests", "overview"] as const).flatMap((what) => server.apart.until(`${what} ${id}`) || []);
  record.compareAt = Math.min(record.compareAt ?? 0, ...tries);
}

function planNext(
  { state, clock }: AppRepository,
  problems: SyncResult["problems"],
  waits: readonly Wait[],
  server: Server,
): void {
  const { troubles } = server;
  const record = repositoryRecord(state.id, server);
  record.compareAt = troubles.retryAt(state.id);
  // A repository that could not be read just now still has its problem.
  if (problems.length > 0 || state.stale) return;
  troubles.wentWell(state);
  const now = clock.now();
  record.compareAt = Math.min(now + quietTime, ...waits.map(({ until = now }) => until));
}

async function endCatchUp({ state, store }: AppRepository): Promise<void> {
  if (!state.setUp) return;
  const { catchUp: _, ...setUp } = state.setUp;
  await store.commit((tx) => tx.updateRepository({ setUp }));
}
