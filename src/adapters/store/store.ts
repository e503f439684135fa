import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type {
  CheckResult,
  MessageStore,
  RecheckStore,
  SourceStore,
  Store,
  Transaction,
} from "../../model/ports/index.ts";
import { diedAttempts, noteAttempts } from "./attempts.ts";
import {
  addSightings,
  eventsIn,
  firings,
  firingsOf,
  mergeFirings,
  renameInEvidence,
  sightings,
  sightingsOf,
} from "./firings.ts";
import { addMessages, storedMessages, updateMessage } from "./messages.ts";
import {
  addAnswers,
  addComment,
  answers,
  comments,
  countCreation,
  creations,
  isSaid,
  joinRecheck,
  openRecheck,
  say,
  settleAnswers,
  storedRechecks,
  suspend,
  updateComment,
  updateRecheck,
  withdrawAnswers,
} from "./rechecks.ts";
import { askToAttend, finish, updateRepository } from "./registry.ts";
import type { Tables } from "./schema.ts";
import type { Engine, Scope } from "./tables.ts";
import {
  addCheckRecord,
  addSnapshot,
  archivedChanges,
  auditsDue,
  checks,
  claims,
  claimsThatAre,
  dueWatches,
  forget,
  hurry,
  lastCheck,
  memory,
  noteAudit,
  pastWatches,
  pruneCheckRecords,
  pruneForgotten,
  pruneSnapshots,
  readBy,
  renameWatch,
  roster,
  saveArchivedChange,
  saveClaims,
  saveMemory,
  saveRoster,
  saveWatch,
  snapshots,
  touchWatches,
  watches,
} from "./watches.ts";

/** Within the work of a commit, the database it runs on: waiting there for the same one would be for ever. */
const committing = new AsyncLocalStorage<Kysely<Tables>>();

/** The database, except during its own transaction: other work waits until that has ended. */
export function outside(database: Kysely<Tables>): Kysely<Tables> {
  if (committing.getStore() === database) throw new Error("within a commit only its own transaction may be used");
  return database;
}

/** How the methods of a store reach the database. */
interface Access {
  /** Outside of transactions. */
  scope(): Scope;
  /** In a transaction that is durable when it returns. */
  together<T>(work: (scope: Scope) => Promise<T>): Promise<T>;
  /** In a transaction that a later durable one makes durable. */
  unsynced<T>(work: (scope: Scope) => Promise<T>): Promise<T>;
}

/** The store of one repository: its transactions come one after the other. */
export function storeOf(database: Kysely<Tables>, repository: string, engine: Engine): Store {
  const access = accessTo(database, repository, engine);
  return {
    commit: async (work, durable) => {
      const run = durable === "soon" ? access.unsynced : access.together;
      return await run((within) => committing.run(database, () => work(transaction(within))));
    },
    ...checkStore(access, engine),
    ...recheckStore(access),
    ...messageStore(access),
  };
}

function accessTo(database: Kysely<Tables>, repository: string, engine: Engine): Access {
  const scope = (): Scope => ({ db: outside(database), repository });
  return {
    scope,
    together: async (work) =>
      await engine.together(scope().db, async (db) => {
        await engine.hold(db, repository);
        return await work({ db, repository });
      }),
    async unsynced<T>(work: (scope: Scope) => Promise<T>) {
      const done: T[] = [];
      await engine.unsynced(scope().db, async (db) => {
        await engine.hold(db, repository);
        done.push(await work({ db, repository }));
      });
      return done.at(-1) as T;
    },
  };
}

function checkStore({ scope, together }: Access, engine: Engine): SourceStore {
  return {
    watches: async (of) => watches(scope(), of),
    dueWatches: async (by, checkedAfter) => dueWatches(scope(), by, checkedAfter),
    pastWatches: async (by) => pastWatches(scope(), by),
    auditsDue: async (by) => auditsDue(scope(), by),
    lastCheck: async (until) => lastCheck(scope(), until),
    roster: async () => roster(scope()),
    saveRoster: async (digest) => together((within) => saveRoster(within, digest)),
    memory: async (source) => memory(scope(), source),
    snapshots: async (source, limit) => snapshots(scope(), source, limit),
    readBy: async (source) => readBy(scope(), source),
    checks: async (source, limit, which) => checks(scope(), source, limit, which),
    claims: async (of) => claims(scope(), of),
    claimsThatAre: async (status) => claimsThatAre(scope(), status),
    firings: async () => firings(scope()),
    events: async (source) => eventsIn(scope(), source),
    archivedChanges: async () => archivedChanges(scope()),
    attempt: async (sources, at, ended) =>
      noteAttempts(scope(), engine, { sources, began: at, ...(ended && { ended }) }),
    died: async () => diedAttempts(scope(), engine),
    touch: async (watches) => touchWatches(scope(), engine, watches),
    forget: async (sources) => together((within) => forget(within, sources)),
    rename: async (from, to) =>
      together(async (within) => {
        await renameWatch(within, from, to);
        await renameInEvidence(within, from, to);
      }),
  };
}

function recheckStore({ scope, together }: Access): RecheckStore {
  return {
    rechecks: async () => storedRechecks(scope()),
    answers: async () => answers(scope()),
    suspendedAnswers: async () => answers(scope(), true),
    openRecheck: async (recheck, firings) => together((within) => openRecheck(within, recheck, firings)),
    joinRecheck: async (recheck, firings, at, comment) =>
      together(async (within) => {
        await joinRecheck(within, recheck, firings, at);
        if (comment) await addComment(within, { ...comment, recheck });
      }),
    updateRecheck: async (id, change) => together((within) => updateRecheck(within, id, change)),
    comments: async (done) => comments(scope(), done),
    isSaid: async (marker) => isSaid(scope(), marker),
    addComment: async (comment) => together((within) => addComment(within, comment)),
    updateComment: async (id, change) => together((within) => updateComment(within, id, change)),
    creations: async (since, until) => creations(scope(), since, until),
    countCreation: async (at) => together((within) => countCreation(within, at)),
  };
}

function messageStore({ scope, together }: Access): MessageStore {
  return {
    messages: async () => storedMessages(scope()),
    addMessages: async (messages) => together((within) => addMessages(within, messages)),
    updateMessage: async (id, change) => together((within) => updateMessage(within, id, change)),
  };
}

function transaction(scope: Scope): Transaction {
  return {
    sightings: (keys) => sightings(scope, keys),
    sightingsOf: (product) => sightingsOf(scope, product),
    firingsOf: (keys) => firingsOf(scope, keys),
    claims: (of) => claims(scope, of),
    keep: (kept) => keep(scope, kept),
    async fire(firings) {
      await mergeFirings(scope, firings);
      await askToAttend(scope);
    },
    noteAudit: (sources, due) => noteAudit(scope, sources, due),
    async keepArchived(change) {
      await saveArchivedChange(scope, change);
      await askToAttend(scope);
    },
    updateRecheck: (id, change) => updateRecheck(scope, id, change),
    addAnswers: (answers) => addAnswers(scope, answers),
    settleAnswers: (ids, at) => settleAnswers(scope, ids, at),
    withdrawAnswers: (ids) => withdrawAnswers(scope, ids),
    suspend: (ids, pull) => suspend(scope, ids, pull),
    say: (comment) => say(scope, comment),
    hurry: (sources, at) => hurry(scope, sources, at),
    updateRepository: (change) => updateRepository(scope, change),
    finish: (delivery) => finish(scope.db, delivery),
  };
}

async function keep(scope: Scope, kept: CheckResult): Promise<void> {
  const { watch, check } = kept;
  await saveWatch(scope, watch);
  if (kept.memory !== undefined) await saveMemory(scope, watch, kept.memory);
  if (kept.snapshot) await addSnapshot(scope, kept.snapshot);
  await addCheckRecord(scope, check);
  await pruneCheckRecords(scope, check);
  await pruneForgotten(scope, check.at);
  await saveClaims(scope, kept.claims);
  await addSightings(scope, kept.events);
  await mergeFirings(scope, kept.firings);
  await askToAttend(scope);
  // Last, once this check's evidence is stored and protects its snapshot.
  if (kept.snapshot) await pruneSnapshots(scope, kept.snapshot);
}
