import type { Selectable } from "kysely";
import {
  fieldsOfState,
  isAsking,
  isOver,
  type MessageChange,
  type MessageState,
  type NewMessage,
  type NewRecheck,
  type RecheckChange,
  type StoredAnswer,
  type StoredComment,
  type StoredMessage,
  type StoredRecheck,
} from "../../model/ports/index.ts";
import { aDay, type Instant } from "../../model/time.ts";
import type { Tables } from "./schema.ts";
import { changeIn, chunks, columns, deleteIn, rowsIn, type Scope, withoutNulls } from "./tables.ts";

export const recheckReads = {
  rechecks,
  answers: (scope: Scope) => answersThat(scope, "is"),
  suspendedAnswers: (scope: Scope) => answersThat(scope, "is not"),
  comments,
  isSaid,
  creations,
};

export const recheckWrites = { openRecheck, joinRecheck, updateRecheck, addComment, updateComment, countCreation };

export const recheckSteps = { updateRecheck, addAnswers, settleAnswers, withdrawAnswers, suspend, say };

async function rechecks(scope: Scope): Promise<StoredRecheck[]> {
  return (await rowsIn(scope, "recheck").selectAll().orderBy("id").execute()).map(toRecheck);
}

/** Returns its number. @throws Error if another one of its trigger is still open */
async function openRecheck(scope: Scope, recheck: NewRecheck, firings: readonly number[]): Promise<number> {
  const others = isAsking(recheck) ? (await rechecks(scope)).filter(isAsking) : [];
  if (others.some(({ trigger }) => trigger === recheck.trigger)) {
    throw new Error(`trigger ${recheck.trigger} has an open recheck already`);
  }
  const { trigger, marker, state, opened } = recheck;
  const row = await scope.db
    .insertInto("recheck")
    .values({ ...asColumns(recheck), repository: scope.repository, trigger, marker, state, opened })
    .returning("id")
    .executeTakeFirstOrThrow();
  await joinRecheck(scope, row.id, firings, recheck.opened);
  return row.id;
}

async function joinRecheck(
  scope: Scope,
  recheck: number,
  firings: readonly number[],
  joined: Instant,
  comment?: Omit<StoredComment, "id" | "recheck">,
): Promise<void> {
  await mustExist(scope, recheck);
  for (const chunk of chunks([...new Set(firings)])) {
    const { numUpdatedRows } = await changeIn(scope, "firing")
      .set(({ ref }) => ({ recheck, reported: ref("weight"), joined }))
      .where("id", "in", chunk)
      .executeTakeFirst();
    if (Number(numUpdatedRows) !== chunk.length)
      throw new Error(`${scope.repository} has not all of these firings: ${chunk}`);
  }
  if (comment) await addComment(scope, { ...comment, recheck });
}

async function updateRecheck(scope: Scope, id: number, change: RecheckChange): Promise<void> {
  const { numUpdatedRows } = await changeIn(scope, "recheck")
    // The number comes first, so that an empty change is valid.
    .set({ id, ...asColumns(change) })
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`${scope.repository} has no recheck ${id}`);
}

async function mustExist(scope: Scope, id: number): Promise<void> {
  const row = await rowsIn(scope, "recheck").select("id").where("id", "=", id).executeTakeFirst();
  if (!row) throw new Error(`${scope.repository} has no recheck ${id}`);
}

function toRecheck(all: Selectable<Tables["recheck"]>): StoredRecheck {
  const { repository: _, refused, pull, verdict, snoozed, gone, ...row } = all;
  const inJson = Object.entries(withoutNulls({ refused, pull, verdict }));
  const recheck = {
    ...withoutNulls(row),
    ...Object.fromEntries(inJson.map(([name, json]) => [name, JSON.parse(json)])),
    ...(snoozed !== null && { snoozed: snoozed === "next-event" ? snoozed : Number(snoozed) }),
    ...(gone === 1 && { gone: true }),
  } as StoredRecheck;
  const lacks = recheck.state === "open" ? row.issue === null : isOver(recheck) && row.closed === null;
  if (lacks) throw new Error(`recheck ${row.id} is ${row.state} without what belongs to that`);
  return recheck;
}

const withoutState = Object.fromEntries(fieldsOfState.map((field) => [field, undefined]));

function asColumns(change: RecheckChange): Record<string, string | number | null> {
  const entries = Object.entries({ ...(change.state !== undefined && withoutState), ...change }).map(
    ([name, value]) => {
      if (name === "snoozed" && value !== undefined) return [name, String(value)];
      return [name, typeof value === "object" ? JSON.stringify(value) : value];
    },
  );
  return columns(Object.fromEntries(entries));
}

/** Answers with or without a pull request that holds them; oldest first. */
async function answersThat(scope: Scope, suspends: "is" | "is not"): Promise<StoredAnswer[]> {
  const rows = rowsIn(scope, "answer").selectAll().where("pull", suspends, null);
  return (await rows.orderBy("at").orderBy("id").execute()).map(toAnswer);
}

async function addAnswers(scope: Scope, answers: readonly Omit<StoredAnswer, "id">[]): Promise<void> {
  for (const { recheck, rating, verdict, level, because, by, at, settled, comment } of answers) {
    await mustExist(scope, recheck);
    await scope.db
      .insertInto("answer")
      .values({ repository: scope.repository, recheck, rating, verdict, level, because, by, at, settled, comment })
      .execute();
  }
}

async function settleAnswers(scope: Scope, ids: readonly number[], at: Instant): Promise<void> {
  for (const chunk of chunks(ids))
    await changeIn(scope, "answer").set({ settled: at }).where("id", "in", chunk).execute();
}

async function withdrawAnswers(scope: Scope, ids: readonly number[]): Promise<void> {
  for (const chunk of chunks(ids)) await deleteIn(scope, "answer").where("id", "in", chunk).execute();
}

async function suspend(scope: Scope, ids: readonly number[], by: number | undefined): Promise<void> {
  const pull = by ?? null;
  for (const chunk of chunks(ids)) await changeIn(scope, "answer").set({ pull }).where("id", "in", chunk).execute();
}

function toAnswer(row: Selectable<Tables["answer"]>): StoredAnswer {
  const { id, recheck, rating, verdict, by, at, level, because, settled, comment, pull } = row;
  return {
    ...{ id, recheck, rating, verdict: verdict as StoredAnswer["verdict"], by, at },
    ...withoutNulls({ level, because, settled, comment, suspendedBy: pull }),
  };
}

type CommentChange = Partial<Pick<StoredComment, "attempted" | "done">>;

async function comments(scope: Scope, done: boolean): Promise<StoredComment[]> {
  const rows = rowsIn(scope, "comment").selectAll().where("done", "=", Number(done));
  return (await rows.orderBy("id").execute()).map(toComment);
}

async function addComment(scope: Scope, comment: Omit<StoredComment, "id">): Promise<number> {
  const { recheck, issue, marker, body, planned, attempted, done } = comment;
  if (recheck !== undefined) await mustExist(scope, recheck);
  const row = await scope.db
    .insertInto("comment")
    .values({ repository: scope.repository, recheck, issue, marker, body, planned, attempted, done: Number(done) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

async function isSaid(scope: Scope, marker: string): Promise<boolean> {
  const row = await rowsIn(scope, "comment").select("id").where("marker", "=", marker).executeTakeFirst();
  return row !== undefined;
}

async function say(scope: Scope, comment: Omit<StoredComment, "id">): Promise<void> {
  if (!(await isSaid(scope, comment.marker))) await addComment(scope, comment);
}

async function updateComment(scope: Scope, id: number, change: CommentChange): Promise<void> {
  const update = changeIn(scope, "comment").set({ id, ...columns(change) });
  const { numUpdatedRows } = await update.where("id", "=", id).executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`${scope.repository} has no comment ${id}`);
}

/** The number of creations at `since` or later, and not after `until`. */
async function creations(scope: Scope, since: Instant, until = Number.MAX_SAFE_INTEGER): Promise<number> {
  const counted = rowsIn(scope, "creation").where("at", ">=", since).where("at", "<=", until);
  const row = await counted.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return Number(row.count);
}

/** They are counted by the hour. */
const creationsKeptFor = aDay;

async function countCreation(scope: Scope, at: Instant): Promise<void> {
  await scope.db.insertInto("creation").values({ repository: scope.repository, at }).execute();
  await deleteIn(scope, "creation")
    .where("at", "<", at - creationsKeptFor)
    .execute();
}

function toComment(row: Selectable<Tables["comment"]>): StoredComment {
  const { id, recheck, issue, marker, body, planned, attempted, done } = row;
  return { id, marker, body, done: done === 1, ...withoutNulls({ recheck, issue, planned, attempted }) };
}

/** Fields that are only read back. */
type Rest = Pick<StoredMessage, "planned" | "tries" | "says" | "firings" | "message">;

export const messageReads = { messages };
export const messageWrites = { addMessages, updateMessage };

async function messages(scope: Scope): Promise<StoredMessage[]> {
  return (await rowsIn(scope, "message").selectAll().orderBy("id").execute()).map(toMessage);
}

async function addMessages({ db, repository }: Scope, messages: readonly NewMessage[]): Promise<void> {
  for (const { channel, key, planned, firings, message } of messages) {
    const rest: Rest = { planned, tries: 0, firings, message };
    await db
      .insertInto("message")
      .values({ repository, channel, key, state: "waiting", next: planned, rest: JSON.stringify(rest) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function updateMessage(scope: Scope, id: number, change: MessageChange): Promise<void> {
  const row = await rowsIn(scope, "message").select("rest").where("id", "=", id).executeTakeFirst();
  if (!row) throw new Error(`${scope.repository} has no message ${id}`);
  const { state, next, attempted, ...rest } = change;
  const set = {
    rest: JSON.stringify({ ...JSON.parse(row.rest), ...rest }),
    state,
    next,
    ...("attempted" in change && columns({ attempted })),
  };
  await changeIn(scope, "message").set(set).where("id", "=", id).execute();
}

function toMessage({ id, channel, key, state, next, attempted, rest }: Selectable<Tables["message"]>): StoredMessage {
  const known: Rest = JSON.parse(rest);
  return { id, channel, key, next, state: state as MessageState, ...withoutNulls({ attempted }), ...known };
}
