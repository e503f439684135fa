import { builtIn } from "../../model/firing.ts";
import type { Duration, Instant } from "../../model/model.ts";
import { type AppGitHub, GitHubProblem, isOver } from "../../model/ports/index.ts";
import { markOf } from "../issue/marker.ts";
import { withIssue } from "../observe.ts";
import { carryOut, isLate } from "./carry-out.ts";
import { type AskingHome, type Case, casesOf, isAnsweredAlready, type Keeping, nothing, reply } from "./case.ts";
import { type ParsedCommand, parseComment } from "./command.ts";
import { deedOf, may, refusal } from "./deed.ts";

/** Somebody commented on an issue. */
export interface Said {
  readonly kind: "comment";
  readonly issue: number;
  readonly comment: number;
  readonly body: string;
  readonly by: string;
  readonly bot: boolean;
}

type Reaction = Parameters<AppGitHub["react"]>[1];

const hour: Duration = 3_600_000;

interface Answer {
  /** None where there were enough. */
  readonly reaction?: Reaction;
  readonly keep: Keeping;
  /** Which of our words it is; another comment may have had them before. */
  readonly occasion: string;
  readonly says?: string;
}

/**
 * A comment → what to keep of it. The reaction is sent here and now, for the same one again is none; a comment that was
 * answered is not heard again, whoever brings it. `at`: when it came. @throws GitHubProblem
 */
export async function hearComment(home: AskingHome, said: Said, at: Instant): Promise<Keeping> {
  const one = await caseOf(said.issue, home);
  const occasion = `comment ${said.comment}`;
  if (!one || (await isAnsweredAlready(home.store, occasion))) return nothing;
  const parsed = parseComment(said, { config: home.config, asked: one.standing.asked, at });
  if (!parsed) return nothing;
  const answer = may(await home.github.permission(said.by), "command")
    ? await answerTo(parsed, { one, home, by: said.by, at, comment: said.comment, occasion })
    : await refuse(one, home);
  if (answer.reaction) await react(home.github, said.comment, answer.reaction);
  return async (tx) => {
    await answer.keep(tx);
    await reply(tx, one.recheck.id, answer.occasion, answer.says);
    if (answer.occasion !== occasion) await reply(tx, one.recheck.id, occasion);
  };
}

/** Who may not answer gets one reaction an hour in each issue, and words once: anybody may write as much as they like. */
async function refuse({ recheck }: Case, { store, clock }: AskingHome): Promise<Answer> {
  const inThisHour = `refused ${recheck.id} in hour ${Math.floor(clock.now() / hour)}`;
  return {
    ...(!(await isAnsweredAlready(store, inThisHour)) && { reaction: "confused" as const }),
    keep: (tx) => reply(tx, recheck.id, inThisHour),
    occasion: `refused ${recheck.id}`,
    says: refusal,
  };
}

interface Speaking {
  readonly one: Case;
  readonly home: AskingHome;
  readonly by: string;
  readonly at: Instant;
  readonly comment: number;
  readonly occasion: string;
}

async function answerTo(parsed: ParsedCommand, { one, home, by, at, comment, occasion }: Speaking): Promise<Answer> {
  const wrong = (says: string): Answer => ({ reaction: "confused", keep: nothing, occasion, says });
  if ("says" in parsed) return wrong(parsed.says);
  const { command, note } = parsed;
  if (isOver(one.recheck) && command.kind !== "help" && command.kind !== "look") return wrong(closed);
  const deed = deedOf(command, one.standing, { by, at, comment });
  if ((deed.kind === "close" || deed.kind === "dismiss") && isLate(comment, one)) return wrong(overtaken);
  if (deed.kind === "snooze" && deed.until === "next-event" && one.recheck.trigger === builtIn.catchUp)
    return wrong(alone);
  const { keep, says } = await carryOut(deed, one, home, { at, comment });
  const words = [says, note].filter((text) => text !== undefined).join("\n\n");
  return { reaction: reactionTo(deed.kind), keep, occasion, says: words };
}

const closed = "This recheck is closed: nothing was changed. Open the issue again to answer it anew.";

const overtaken = "Nothing was changed: what was said after this holds.";

const alone = "Nothing new joins this issue: name a date or a length of time, as in `/recheck snooze 14d`.";

function reactionTo(deed: ReturnType<typeof deedOf>["kind"]): Reaction {
  if (deed === "nothing") return "confused";
  return deed === "look" ? "eyes" : "+1";
}

/** Its author may have deleted the comment, or the conversation may be locked: then nobody misses the reaction. */
export async function react(github: AppGitHub, comment: number, reaction: Reaction): Promise<void> {
  try {
    await github.react(comment, reaction);
  } catch (error) {
    const beside =
      error instanceof GitHubProblem && ["not-found", "deleted", "forbidden", "locked", "invalid"].includes(error.kind);
    if (!beside) throw error;
  }
}

/** The recheck of an issue; also of one whose creation was not heard to succeed. */
async function caseOf(issue: number, home: AskingHome): Promise<Case | undefined> {
  const cases = await casesOf(home);
  const known = cases.find(({ recheck }) => recheck.issue === issue);
  if (known) return known;
  const lost = cases.filter(({ recheck: { issue, attempted } }) => issue === undefined && attempted !== undefined);
  if (lost.length === 0) return undefined;
  const marker = markOf((await home.github.issue(issue)).body)?.marker;
  const found = lost.find(({ recheck }) => recheck.marker === marker);
  if (!found) return undefined;
  const recheck = withIssue(found.recheck, issue);
  await home.store.updateRecheck(recheck.id, recheck);
  return { ...found, recheck };
}
