import * as z from "zod";
import { isConfig } from "../../../config/files.ts";
import { isoInstant } from "../../../language/dates.ts";
import type { CheckSubject } from "../../../model/ports/index.ts";
import type { Instant } from "../../../model/time.ts";
import type { IssueEdit } from "../../../recheck/answer/boxes.ts";
import { commandLine } from "../../../recheck/answer/command.ts";
import type { NewComment } from "../../../recheck/answer/comment.ts";
import { splitAtSection } from "../../../recheck/issue/marker.ts";

export interface NamedRepository {
  readonly id: number;
  readonly name: string;
  readonly public?: boolean;
  /** True for a fork; undefined if it is none, or unknown. */
  readonly fork?: boolean;
}

export type News =
  | NewComment
  | IssueEdit
  /** The state of an issue changed, so it is read again. `reopened`: its number, if it was reopened. */
  | { readonly kind: "issue"; readonly reopened?: number }
  | {
      readonly kind: "push";
      readonly branch: string;
      readonly commit: string;
      /** The head of its branch until then; undefined for a new branch. */
      readonly before?: string;
      /** Files of config that its commits name; undefined if the list is incomplete. */
      readonly paths?: readonly string[];
    }
  /** Somebody asks to check a commit again. */
  | {
      readonly kind: "rerun";
      readonly commit: string;
      /** A check run of ours about this subject exists. */
      readonly checked?: CheckSubject;
    }
  | { readonly kind: "branch-deleted"; readonly branch: string }
  | {
      readonly kind: "pull";
      readonly action: "opened" | "synchronize" | "reopened" | "closed" | "edited";
      readonly number: number;
      readonly branch: string;
      /** The branch that it is to be merged into. */
      readonly base?: string;
      readonly commit: string;
      readonly before?: string;
      readonly merged: boolean;
      readonly foreign: boolean;
    }
  /** Renamed, transferred, archived, unarchived, edited, made private or public. */
  | { readonly kind: "repository"; readonly archived: boolean }
  | { readonly kind: "repository-deleted" }
  | { readonly kind: "installed"; readonly repositories: readonly NamedRepository[] }
  | { readonly kind: "removed"; readonly repositories: readonly NamedRepository[] }
  | { readonly kind: "uninstalled" }
  | { readonly kind: "suspended" }
  /** The installation continues, or has more permissions than before. */
  | { readonly kind: "resumed" };

export interface WebhookNews {
  readonly installation: number;
  /** Undefined for news of an installation. */
  readonly repository?: NamedRepository;
  /** The time of GitHub's description of that repository, if given: deliveries may come late, or twice. */
  readonly described?: Instant;
  readonly news: News;
}

export interface QueuedNews extends WebhookNews {
  readonly delivery: string;
  readonly at: Instant;
}

const login = z.object({ login: z.string(), type: z.string().nullish() });
const namedThing = z
  .object({ id: z.number(), full_name: z.string(), private: z.boolean().optional(), fork: z.boolean().optional() })
  .transform(
    ({ id, full_name, private: hidden, fork }): NamedRepository => ({
      id,
      name: full_name,
      ...(hidden !== undefined && { public: !hidden }),
      ...(fork && { fork }),
    }),
  );
const head = z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullish() });
const base = z.object({ ref: z.string() }).optional();
const time = z
  .string()
  .transform((text) => isoInstant(text))
  .refine((at) => !Number.isNaN(at))
  .optional();
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const commit = z.object({
  added: z.array(z.string()).default([]),
  modified: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
});

const payload = z.object({
  action: z.string().optional(),
  installation: z.object({ id: z.number() }),
  repository: namedThing
    .and(z.object({ archived: z.boolean().optional(), updated_at: time.catch(undefined) }))
    .optional(),
  sender: login.optional(),
  issue: z
    .object({
      number: z.number(),
      body: z.string().nullish(),
      updated_at: z.string().optional(),
      pull_request: z.unknown().optional(),
    })
    .optional(),
  comment: z
    .object({ id: z.number(), body: z.string().nullish(), user: login.nullish(), created_at: time.catch(undefined) })
    .optional(),
  changes: z
    .object({ body: z.object({ from: z.string() }).optional() })
    .optional()
    .catch(undefined),
  ref: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  deleted: z.boolean().optional(),
  forced: z.boolean().optional(),
  commits: z.array(commit).optional(),
  pull_request: z.object({ number: z.number(), merged: z.boolean().nullish(), head, base }).optional(),
  check_run: z
    .object({ head_sha: sha, name: z.string().optional(), external_id: z.string().nullish() })
    .optional()
    .catch(undefined),
  check_suite: z.object({ head_sha: sha }).optional().catch(undefined),
  repositories: z.array(namedThing).optional(),
  repositories_added: z.array(namedThing).optional(),
  repositories_removed: z.array(namedThing).optional(),
});
type Payload = z.infer<typeof payload>;

/** GitHub's limit for the commits that it names with one push. */
const maxPushCommits = 2_048;

/** Parses a webhook's payload; undefined if it concerns no repository here. `event`: the header X-GitHub-Event. */
export function newsOf(event: string, given: unknown): WebhookNews | undefined {
  const { data } = payload.safeParse(given);
  const news = data && newsIn(event, data);
  if (!news || !data) return undefined;
  const { installation, repository } = data;
  if (event.startsWith("installation")) return { installation: installation.id, news };
  if (!repository) return undefined;
  const { updated_at: described, archived: _, ...named } = repository;
  return { installation: installation.id, repository: named, ...(described !== undefined && { described }), news };
}

function newsIn(event: string, data: Payload): News | undefined {
  const name = data.action === undefined ? event : `${event}.${data.action}`;
  return Object.hasOwn(readings, name) ? readings[name]?.(data) : undefined;
}

/** The same reading for several actions of an event. */
function each(event: string, actions: string, reading: (data: Payload) => News | undefined): typeof readings {
  return Object.fromEntries(actions.split(" ").map((action) => [`${event}.${action}`, reading]));
}

/** How each event, with its action if it has one, becomes news. */
const readings: Readonly<Record<string, (data: Payload) => News | undefined>> = {
  push,
  "issue_comment.created": comment,
  "issues.edited": editNews,
  "issues.reopened": ({ issue }) => ({ kind: "issue", ...(issue && { reopened: issue.number }) }),
  ...each("issues", "closed deleted transferred locked unlocked", () => ({ kind: "issue" })),
  ...each("pull_request", "opened synchronize reopened closed edited", pull),
  "check_run.rerequested": rerun,
  "check_suite.rerequested": ({ check_suite }) => check_suite && { kind: "rerun", commit: check_suite.head_sha },
  ...each("repository", "renamed transferred archived unarchived edited privatized publicized", ({ repository }) => ({
    kind: "repository",
    archived: repository?.archived === true,
  })),
  "repository.deleted": () => ({ kind: "repository-deleted" }),
  "installation.created": ({ repositories = [] }) => ({ kind: "installed", repositories }),
  "installation_repositories.added": ({ repositories_added: repositories = [] }) => ({
    kind: "installed",
    repositories,
  }),
  "installation_repositories.removed": ({ repositories_removed: repositories = [] }) => ({
    kind: "removed",
    repositories,
  }),
  "installation.deleted": () => ({ kind: "uninstalled" }),
  "installation.suspend": () => ({ kind: "suspended" }),
  ...each("installation", "unsuspend new_permissions_accepted", () => ({ kind: "resumed" })),
};

function comment({ issue, comment, sender }: Payload): News | undefined {
  // A pull request is an issue to GitHub.
  if (!issue || !comment) return undefined;
  const by = comment.user ?? sender;
  if (!by) return undefined;
  const { id, body, created_at: created } = comment;
  // Most comments are not commands.
  if (!commandLine(body ?? "")) return undefined;
  return {
    kind: "comment",
    issue: issue.number,
    comment: id,
    body: body ?? "",
    ...(created !== undefined && { created }),
    by: by.login,
    bot: by.type === "Bot",
  };
}

function editNews({ issue, changes, sender }: Payload): News | undefined {
  if (!issue || !sender || changes?.body === undefined || issue.pull_request) return undefined;
  const { login: by, type } = sender;
  const bodies = [changes.body.from, issue.body ?? ""];
  // An issue that never had our section contains no box of ours.
  if (bodies.every((body) => splitAtSection(body).section === "")) return undefined;
  const at = isoInstant(issue.updated_at ?? "");
  return {
    kind: "edited",
    issue: issue.number,
    before: changes.body.from,
    after: issue.body ?? "",
    ...(!Number.isNaN(at) && { edited: at }),
    by,
    bot: type === "Bot",
  };
}

function push({ ref, before, after, deleted, forced, commits }: Payload): News | undefined {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(ref ?? "") ?? [];
  if (branch === undefined || after === undefined) return undefined;
  if (deleted === true || /^0+$/.test(after)) return { kind: "branch-deleted", branch };
  const whole = commits !== undefined && commits.length > 0 && commits.length < maxPushCommits && forced !== true;
  const paths = whole ? commits.flatMap(({ added, modified, removed }) => [...added, ...modified, ...removed]) : [];
  const known = { ...headBefore(before), ...(whole && { paths: [...new Set(paths.filter(isConfig))] }) };
  return { kind: "push", branch, commit: after, ...known };
}

/** The head before a push; undefined if GitHub writes zeros, for a new branch. */
function headBefore(before: string | undefined): { before?: string } {
  return before === undefined || /^0+$/.test(before) ? {} : { before };
}

function pull({ action, before, pull_request, repository }: Payload): News | undefined {
  if (!pull_request || !repository) return undefined;
  const { number, merged, head, base } = pull_request;
  return {
    kind: "pull",
    action: action as Extract<News, { kind: "pull" }>["action"],
    number,
    branch: head.ref,
    ...(base && { base: base.ref }),
    commit: head.sha,
    ...headBefore(before),
    merged: merged === true,
    foreign: head.repo?.id !== repository.id,
  };
}

/** GitHub also reports check runs of other Apps, if it is configured to. */
function rerun({ check_run }: Payload): News | undefined {
  if (!check_run || !/^recheck(?: |$)/.test(check_run.external_id ?? "")) return undefined;
  return {
    kind: "rerun",
    commit: check_run.head_sha,
    checked: check_run.name === "Recheck report" ? "report" : "config",
  };
}
