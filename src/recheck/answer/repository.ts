import type { Config } from "../../model/config.ts";
import { isNews } from "../../model/firing.ts";
import {
  type AppGitHub,
  type Clock,
  isAsking,
  isOver,
  type Permission,
  type RecheckState,
  type RepositoryState,
  type Store,
  type StoredAnswer,
  type StoredFiring,
  type StoredRecheck,
  type Transaction,
  type WholeVerdict,
} from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import type { Reader } from "../../read/reader.ts";
import { replyMark } from "../issue/comment.ts";
import type { Link } from "../issue/question.ts";
import { readIssue } from "../observe.ts";
import { idsOf } from "../plan.ts";
import { type AnswerStatus, answerStatus } from "./answers.ts";

export interface ServedRepository {
  readonly state: RepositoryState;
  readonly config?: Config;
  readonly store: Store;
  readonly github: AppGitHub;
  readonly clock: Clock;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly link: Link;
}

/** A repository with a config, so that it has triggers and ratings. */
export type WatchedRepository = ServedRepository & { readonly config: Config };

export interface FullRecheck {
  readonly recheck: StoredRecheck;
  readonly firings: readonly StoredFiring[];
  readonly answers: readonly StoredAnswer[];
  readonly status: AnswerStatus<StoredAnswer>;
}

export async function fullRechecks({ store, config }: WatchedRepository): Promise<FullRecheck[]> {
  const [rechecks, all, given] = await Promise.all([store.rechecks(), store.firings(), store.answers()]);
  const fed = Map.groupBy(all, ({ recheck }) => recheck);
  const answered = Map.groupBy(given, ({ recheck }) => recheck);
  return rechecks.map((recheck) => {
    const firings = fed.get(recheck.id) ?? [];
    const answers = answered.get(recheck.id) ?? [];
    return { recheck, firings, answers, status: answerStatus(firings, answers, config) };
  });
}

export type StoreUpdate = (tx: Transaction) => Promise<void>;

export const noUpdate: StoreUpdate = async () => {};

/** A reply to be written. `text`: Markdown of our own; `planned`: when it was decided. */
interface Owed {
  readonly text?: string | undefined;
  readonly planned?: Instant;
}

/**
 * Plans a comment on a recheck's issue; without a text, only marks the occasion as answered. `occasion`: letters, digits
 * and spaces; each is answered once.
 */
export function reply(
  tx: Transaction,
  recheck: number,
  occasion: string,
  { text = "", planned }: Owed = {},
): Promise<void> {
  const marker = replyMark(occasion);
  if (text === "") return tx.say({ recheck, marker, body: "", done: true });
  return tx.say({ recheck, marker, body: `${marker}\n\n${text}`, planned, done: false });
}

export function isAnsweredAlready(store: Pick<Store, "isSaid">, occasion: string): Promise<boolean> {
  return store.isSaid(replyMark(occasion));
}

export function closingState({ issue }: StoredRecheck, closed: Instant, verdict?: WholeVerdict): RecheckState {
  return { state: "closing", issue, closed, verdict };
}

/** Handles a reopened issue, which the list of issues with our label may lack. @throws GitHubProblem */
export async function handleReopened(repository: WatchedRepository, issue: number, at: Instant): Promise<void> {
  const one = (await fullRechecks(repository)).find(({ recheck }) => recheck.issue === issue);
  if (one && isOver(one.recheck)) await openAgain(one, repository, at);
}

/**
 * Reopens a closed recheck if people have reopened its issue: their comments may arrive before the next run sees that.
 * Else returns why nothing can be answered there. @throws GitHubProblem
 */
export async function openAgain(
  { recheck, firings }: FullRecheck,
  repository: WatchedRepository,
  at: Instant,
): Promise<FullRecheck | string> {
  const { store, github, clock } = repository;
  const { id, trigger, issue } = recheck;
  const successor = (await store.rechecks()).find((one) => one.trigger === trigger && isAsking(one));
  if (successor) {
    const where = successor.issue === undefined ? "an issue that is not open yet" : `#${successor.issue}`;
    return `Nothing was changed: this recheck is closed, and ${where} has taken its place. Answer there.`;
  }
  if (recheck.state !== "closed" || issue === undefined) return closed;
  if ((await readIssue(github, issue))?.state !== "open") return closed;
  // Answers from before the closing do not count, even if they arrive later.
  const from = at < recheck.closed ? clock.now() : at;
  // If the program is interrupted here, the recheck is still closed.
  await store.joinRecheck(id, idsOf(firings.filter((firing) => !isNews(firing))), from);
  await store.updateRecheck(id, { state: "open", issue });
  return (await fullRechecks(repository)).find((one) => one.recheck.id === id) ?? closed;
}

const closed = "Nothing was changed: this recheck is closed. Reopen the issue to answer it again.";

const permissionsLeastFirst: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The ways to answer: a command in a comment, or a box, which only people with write access can tick. */
export type AnswerForm = "command" | "box";

const leastPermission: Readonly<Record<AnswerForm, Permission>> = { command: "triage", box: "write" };

export function mayAnswer(permission: Permission, form: AnswerForm): boolean {
  return permissionsLeastFirst.indexOf(permission) >= permissionsLeastFirst.indexOf(leastPermission[form]);
}

export const mayNotAnswer =
  "Nothing was changed: `/recheck` needs triage access or more to this repository. Other comments are welcome.";
