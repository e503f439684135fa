import type { Config } from "../model/config.ts";
import { words } from "../model/markdown.ts";
import { GitHubProblem, type Refusal, type RepositoryState, type StoredRecheck } from "../model/ports/index.ts";
import { aDay, anHour, type Duration, day, type Instant } from "../model/time.ts";
import { refusalSays, triggerName } from "../model/words.ts";
import type { ServedRepository } from "./answer/repository.ts";
import { changeRecheck, type Run } from "./run.ts";

/** The outcome of a write. *held*: GitHub refused it lately, and the next try is not due. *refused*: GitHub refused it now. */
export type Attempt =
  | { readonly kind: "done" }
  | { readonly kind: "held"; readonly refusal: Refusal }
  | { readonly kind: "refused"; readonly problem: GitHubProblem };

/** A text or comment to be written. `digest`: hash of a text, so that a different text is tried at once. */
export interface Writing {
  readonly what: Refusal["what"];
  readonly digest?: string;
}

/**
 * Writes to the issue of one recheck. Stores a refusal if the conversation is locked or the text is not accepted: the next try
 * comes after an hour, later once a day. `write` returns whether the text was written. @throws GitHubProblem of any other kind
 */
export async function tryWriting(
  recheck: StoredRecheck,
  writing: Writing,
  run: Run,
  write: () => Promise<boolean>,
): Promise<Attempt> {
  const { refused: refusal } = recheck;
  if (refusal && isHeld(recheck, writing, run.outbox.clock.now())) return { kind: "held", refusal };
  try {
    const isThere = await write();
    if (isThere && refusal?.what === writing.what) await changeRecheck(run, recheck.id, { refused: undefined });
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
    const { kind } = error;
    if (kind !== "locked" && kind !== "invalid") throw error;
    await remember(recheck, { ...writing, kind }, run);
    return { kind: "refused", problem: error };
  }
}

/** Whether it is too early to try a text or comment again. A refused text also holds back comments. */
export function isHeld({ refused }: Pick<StoredRecheck, "refused">, writing: Writing, at: Instant): boolean {
  if (refused === undefined || (refused.what === "comment" && writing.what === "text")) return false;
  if (isAnother(refused, writing)) return false;
  // A time more than a day in the future came from a wrong clock.
  return refused.next > at && refused.next <= at + aDay;
}

function isAnother(refused: Refusal | undefined, { digest }: Writing): boolean {
  return refused?.tried !== undefined && digest !== undefined && refused.tried !== digest;
}

async function remember(
  { id, refused }: StoredRecheck,
  { kind, what, digest }: Writing & Pick<Refusal, "kind">,
  run: Run,
): Promise<void> {
  const now = run.outbox.clock.now();
  const since = isAnother(refused, { what, digest }) ? now : (refused?.since ?? now);
  const next = now + Math.min(aDay, Math.max(anHour, now - since));
  await changeRecheck(run, id, { refused: { kind, what, since, next, ...(digest && { tried: digest }) } });
}

/** Reports each issue that GitHub does not let us write to, and why. */
export function reportRefused({ rechecks, synced }: Run): void {
  for (const { trigger, issue, refused, state } of rechecks) {
    if (refused && state !== "closed" && issue !== undefined)
      synced.left.push({ trigger, issue, because: refusalSays(refused, state === "closing") });
  }
}

/** How long the overview reports an issue that is gone. */
const noticeTime: Duration = 7 * aDay;

/** Markdown lines for the overview: issues that GitHub does not let us write to, and issues that are gone. */
export function issueNotices(rechecks: readonly StoredRecheck[], config: Config, now: Instant): string[] {
  return rechecks.flatMap((recheck) => {
    const { trigger, issue, refused, state } = recheck;
    if (state === "closed" && recheck.gone && now - recheck.closed < noticeTime) {
      const since = day(recheck.closed);
      return [`#${issue} has been gone since ${since}: its questions count as answered and are not asked again.`];
    }
    if (!refused || state === "closed") return [];
    const its = issue === undefined ? words(triggerName(trigger, config), 100) : `#${issue}`;
    return [`**${its}**: ${refusalSays(refused, state === "closing")}.`];
  });
}

type Noting = Pick<ServedRepository, "state" | "store" | "clock">;

/** Stores, for the overview, that GitHub does not grant a permission, with the time of the first refusal. */
export async function noteRefusal(
  repository: Noting,
  { kind, needs }: Pick<GitHubProblem, "kind" | "needs">,
): Promise<void> {
  const { refused = {} } = repository.state;
  if (kind !== "forbidden" || needs === undefined || refused[needs] !== undefined) return;
  const at = repository.clock.now();
  await repository.store.commit((tx) => tx.updateRepository({ refused: { ...refused, [needs]: at } }));
}

/** Clears refusals of permissions that were just used: the webhook about their acceptance may have been lost. */
export async function noteGranted({ state, store }: Noting, ...permissions: readonly string[]): Promise<void> {
  const { refused = {} } = state;
  if (!permissions.some((permission) => refused[permission] !== undefined)) return;
  const left = Object.entries(refused).filter(([permission]) => !permissions.includes(permission));
  await store.commit((tx) => tx.updateRepository({ refused: Object.fromEntries(left) }));
}

/** A link to the settings page on which people switch issues on. */
export function repositorySettings({ web }: Pick<RepositoryState, "web">): string {
  return web ? `[the repository's settings](${web}/settings)` : "the repository's settings";
}

/** A link to the settings page on which people accept permissions and end a suspension. */
export function settingsLink({ web = "", name, organization, installation }: RepositoryState): string {
  const origin = URL.parse(web)?.origin;
  if (origin === undefined) return "the installation's settings";
  const owner = organization ? `/organizations/${encodeURIComponent(name.split("/")[0] ?? "")}` : "";
  return `[the installation's settings](${origin}${owner}/settings/installations/${installation})`;
}
