import type { Instant } from "../../model/model.ts";
import type { Permission } from "../../model/ports/index.ts";
import type { AnswerStatus, GivenAnswer } from "./answers.ts";
import type { Command } from "./command.ts";

/** An action that a person asked for. */
export type RequestedAction =
  /** Keep these, and bring the pull request up to date. */
  | { readonly kind: "answers"; readonly answers: readonly GivenAnswer[] }
  /** *keep* where no rating is asked about: nothing is to be edited. */
  | { readonly kind: "close"; readonly by: string; readonly because?: string }
  | { readonly kind: "dismiss"; readonly because: string; readonly by: string }
  | { readonly kind: "snooze"; readonly until: Instant | "next-event" }
  | { readonly kind: "look" }
  | { readonly kind: "help" }
  /** Nothing; `says` tells why, in Markdown. */
  | { readonly kind: "nothing"; readonly says: string };

/** Who speaks, and when. */
export interface Speaker {
  readonly by: string;
  readonly at: Instant;
  /** GitHub's number of the comment that says it. */
  readonly comment?: number;
}

/** A command × how the answers stand → what to do. A ticked `keep` is a *keep* without names. Pure. */
export function requestedAction(
  command: Command,
  standing: AnswerStatus,
  { by, ...speaker }: Speaker,
): RequestedAction {
  switch (command.kind) {
    case "keep":
      return keep(command, standing, { by, ...speaker });
    case "change": {
      const { rating, level, because } = command;
      return { kind: "answers", answers: [{ rating, verdict: "change", level, because, by, ...speaker }] };
    }
    case "dismiss":
      return { ...command, by };
    case "snooze":
    case "look":
    case "help":
      return command;
  }
}

function keep(
  { ratings, because }: Extract<Command, { kind: "keep" }>,
  { asked, open }: AnswerStatus,
  { comment, ...speaker }: Speaker,
): RequestedAction {
  if (asked.length === 0) return { kind: "close", by: speaker.by, ...(because && { because }) };
  const isNamed = ratings.length > 0;
  const kept = isNamed ? ratings : open;
  if (kept.length === 0) return { kind: "nothing", says: allAnswered };
  // Without names it is no word about a rating of which something was said, whenever that is heard.
  const given = { verdict: "keep", ...(because && { because }), ...speaker, ...(isNamed && { comment }) } as const;
  const answers = kept.map((rating): GivenAnswer => ({ rating, ...given }));
  return { kind: "answers", answers };
}

const allAnswered =
  "Every rating is answered already; merging the pull request closes this issue. To change an answer, name its rating: `/recheck keep RATING`.";

/** A request that a person makes by ticking a box. */
export type Tick =
  /** All ratings not answered yet. */
  | { readonly kind: "keep" }
  | { readonly kind: "look" }
  /** `recheck`: its id in the store. */
  | { readonly kind: "unsnooze"; readonly recheck: number }
  /** Look again at these sources, which could not be seen. */
  | { readonly kind: "retry"; readonly sources: readonly string[] };

const sourceId = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const maxRetriedSources = 500;

/** Reads the id behind a box (`keep`, `look`, `unsnooze 12`, `retry some-source`); undefined for any other. */
export function tickOf(id: string): Tick | undefined {
  const [kind, ...rest] = id.slice(0, 40_000).trim().split(/\s+/);
  switch (kind) {
    case "keep":
    case "look":
      return rest.length === 0 ? { kind } : undefined;
    case "unsnooze": {
      const [recheck = ""] = rest;
      return rest.length === 1 && /^[1-9]\d{0,14}$/.test(recheck) ? { kind, recheck: Number(recheck) } : undefined;
    }
    case "retry": {
      const sources = [...new Set(rest)].slice(0, maxRetriedSources);
      return sources.length > 0 && sources.every((one) => sourceId.test(one)) ? { kind, sources } : undefined;
    }
    default:
      return undefined;
  }
}

/** Least first. */
const permissionsLeastFirst: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** By a comment, or by a box: GitHub lets only those tick one who may edit the issue. */
export type AnswerForm = "command" | "box";

const leastPermission: Readonly<Record<AnswerForm, Permission>> = { command: "triage", box: "write" };

/** Whether a person may answer. */
export function mayAnswer(permission: Permission, door: AnswerForm): boolean {
  return permissionsLeastFirst.indexOf(permission) >= permissionsLeastFirst.indexOf(leastPermission[door]);
}

/** Told to people who may not answer. */
export const mayNotAnswer =
  "Nothing was changed: `/recheck` is for people with triage access or more to this repository. What you know is welcome as a comment.";
