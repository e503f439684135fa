import type { Instant } from "../time.ts";

export interface Issue {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly url: string;
  /** Written by us, or with a token by a bot or a member of the repository. Anyone else may have copied our hidden line. */
  readonly own?: true;
  /** Its conversation is locked. Only trying shows whether we may still write. */
  readonly locked?: boolean;
  /** People reopened it after it was closed. */
  readonly reopened?: true;
}

export interface DatedIssue extends Issue {
  readonly opened: Instant;
  readonly closed?: Instant;
}

/** Everything that was ever asked in a repository. @throws GitHubProblem */
export interface PastIssues {
  /**
   * All issues that the App wrote, open or closed, newest first, at most the newest 5,000. With a token: those with the label
   * `recheck` that an App or a member of the repository wrote.
   */
  ownIssues(): Promise<DatedIssue[]>;
}

export type GitHubProblemKind =
  | "unauthorized" // 401: the token or key is not, or no longer, valid
  | "forbidden" // 403: a permission is missing; see `needs`
  | "suspended" // 403: somebody suspended the installation
  | "blocked" // 403: the owner's IP allow list does not let this server in
  | "archived" // 403: the repository can only be read
  | "locked" // 403 for one issue: its conversation is locked
  | "slow-down" // 403 or 429: a rate limit, primary or secondary; see `resumeAt`
  | "not-found" // 404: the repository, or the App is not installed there; or one issue. 409: no commit yet
  | "deleted" // 410 for one issue, or it lives in another repository now
  | "disabled" // 410: the repository has issues switched off
  | "invalid" // 422: this text or label is refused; others may pass
  | "unavailable" // 5xx: a write may have happened all the same
  | "lost"; // no answer, or half of one: a write may have happened all the same

/** Why GitHub did not do as asked: a sentence for people; the cause is for operators. */
export class GitHubProblem extends Error {
  readonly kind: GitHubProblemKind;
  /** For *slow-down*: the earliest next try. */
  readonly resumeAt?: Instant;
  /** For *forbidden*: the missing permission, such as `contents: write`. */
  readonly needs?: string;

  constructor(
    kind: GitHubProblemKind,
    says: string,
    options: { resumeAt?: Instant; needs?: string; cause?: unknown } = {},
  ) {
    super(says, { cause: options.cause });
    this.name = "GitHubProblem";
    this.kind = kind;
    this.resumeAt = options.resumeAt;
    this.needs = options.needs;
  }

  /** Whether the write may have happened. */
  get uncertain(): boolean {
    return this.kind === "unavailable" || this.kind === "lost";
  }
}

/** Kinds by which GitHub refuses one thing: it is not granted, its conversation is locked, or a rule forbids it. */
export const refusals = ["forbidden", "locked", "invalid"] as const satisfies readonly GitHubProblemKind[];

/** The problem in an error, if it is of one of these kinds. @throws any other error */
export function problemIn(error: unknown, ...kinds: readonly GitHubProblemKind[]): GitHubProblem {
  if (error instanceof GitHubProblem && kinds.includes(error.kind)) return error;
  throw error;
}

/** GitHub's answer; undefined in place of a problem of one of these kinds. @throws any other error */
export async function tolerate<T>(asked: Promise<T>, ...kinds: readonly GitHubProblemKind[]): Promise<T | undefined> {
  return await asked.catch((error: unknown) => void problemIn(error, ...kinds));
}

export interface IssueChange {
  readonly title?: string;
  readonly body?: string;
  readonly state?: "open" | "closed";
  /** Why it is closed. */
  readonly reason?: "completed" | "not_planned";
}

/** Awaited right before a request is sent. If it throws, nothing is sent, and the caller gets that error. */
export type Sending = () => Promise<void>;

/** *late*: it is not in the list, but GitHub counts more comments than it lists. */
export type FoundComment = "there" | "absent" | "late";

/** The few calls that we make, on one repository. @throws GitHubProblem */
export interface GitHub {
  /** All open issues with the label `recheck`, in one request for up to 100. */
  openIssues(): Promise<Issue[]>;
  /**
   * The oldest of our issues for which `isIt` is true, open or closed, among those that the App wrote. With a token: among
   * those with the label `recheck`, then among the newest 100 of all.
   */
  findIssue(isIt: (issue: Issue) => boolean): Promise<Issue | undefined>;
  /** Reads an issue. @throws GitHubProblem *deleted*, also if it was moved to another repository */
  issue(number: number): Promise<Issue>;
  /** Never retried. `assignees`: logins; *invalid* if one is unknown. `type`: set if there is such an issue type. */
  createIssue(
    issue: {
      title: string;
      body: string;
      labels: readonly string[];
      assignees?: readonly string[];
      type?: string;
    },
    sending?: Sending,
  ): Promise<Issue>;
  /** Returns its state after the change, as a person may have closed it meanwhile. */
  updateIssue(number: number, change: IssueChange): Promise<Issue["state"]>;
  addLabels(number: number, labels: readonly string[]): Promise<void>;
  ensureLabels(labels: readonly { name: string; color: string; description: string }[]): Promise<void>;
  /** Searches our comments, oldest first, for one whose body `isIt` accepts. */
  findComment(number: number, isIt: (body: string) => boolean): Promise<FoundComment>;
  createComment(number: number, body: string, sending?: Sending): Promise<void>;
}

export interface RepositoryFacts {
  readonly id: number;
  readonly name: string;
  readonly defaultBranch: string;
  readonly archived: boolean;
  readonly fork: boolean;
  readonly hasIssues: boolean;
  /** Everybody may see it. */
  readonly public: boolean;
  /** Its address for people. */
  readonly web: string;
  readonly organization: boolean;
}

export interface Commit {
  readonly sha: string;
  /** Its author's login, if GitHub knows the author. */
  readonly by?: string;
}

export interface TreeFile {
  readonly path: string;
  /** The hash by which git knows its contents. */
  readonly sha: string;
  /** A symbolic link, whose target has another size. */
  readonly link?: boolean;
  /** In bytes. */
  readonly size: number;
}

export interface RepositoryTree {
  readonly files: readonly TreeFile[];
  /** Whether the list is complete. A very long one has only files at the root, in `docs/`, and in places of config. */
  readonly whole: boolean;
}

/** The files that differ between a head and the commit that it branched from. */
export interface Difference {
  /** The commit that it branched from. */
  readonly began: string;
  /** `from`: its earlier path; undefined if it is new. `removed`: it was deleted. */
  readonly files: readonly { readonly path: string; readonly from?: string; readonly removed?: true }[];
  /** Whether the list is complete: GitHub lists at most 300 files. */
  readonly whole: boolean;
}

export interface Pull {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly branch: string;
  /** The branch that it will be merged into. */
  readonly base: string;
  /** The commit at the head of its branch. */
  readonly head: string;
  readonly body: string;
}

/** The text of a file, with its byte order mark; or why a program should not write to it: *it is a symbolic link*. */
export type EditableFile = { readonly text: string } | { readonly byHand: string };

/** Files to be committed to a branch, on top of a commit. */
export interface Edit {
  readonly branch: string;
  readonly parent: string;
  /** Other heads, besides the parent, whose content may be overwritten. A branch with any other head is left alone. */
  readonly over?: readonly (string | undefined)[];
  /** Awaited after the commit is made, before the branch is moved to it. */
  note?(commit: string): Promise<void>;
  readonly message: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export type CheckSubject = "config" | "report";

export interface CheckRun {
  /** A commit's config by default, or the report's changed sentences. */
  readonly about?: CheckSubject;
  readonly commit: string;
  readonly conclusion: "success" | "failure" | "neutral" | "action_required";
  readonly title: string;
  readonly summary: string;
  /** In parts that each fit into one request; at least one part. */
  readonly annotations: readonly (readonly object[])[];
  /** The request that it answers, in letters and digits. Then it is written next to earlier check runs. */
  readonly again?: string;
}

export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export interface IssueComment {
  readonly id: number;
  readonly issue: number;
  readonly body: string;
  readonly by: string;
  /** Its author is an app. */
  readonly bot: boolean;
  readonly at: Instant;
  /** Edited by someone since, so these may not be its author's words. */
  readonly edited?: true;
}

/** The further calls of an App that has the permissions. @throws GitHubProblem */
export interface AppGitHub extends GitHub, PastIssues {
  facts(): Promise<RepositoryFacts>;
  commit(ref: string): Promise<Commit | undefined>;
  /** The common ancestor of a head and a branch or commit; undefined if there is none, or one of them is missing. */
  mergeBase(base: string, head: string): Promise<string | undefined>;
  /** Files that a head changed since it branched from a branch or commit; undefined if their ancestor is unknown. */
  difference(base: string, head: string): Promise<Difference | undefined>;
  tree(commit: string): Promise<RepositoryTree>;
  /** The files directly in these folders, `""` for the root. Only folders on the way to them are listed. */
  filesIn(commit: Commit["sha"], folders: readonly string[]): Promise<readonly TreeFile[]>;
  /** Undefined if it is missing, or larger than 10 MB. */
  text(path: string, ref: string): Promise<string | undefined>;
  /** Files that can be written back without loss, by path. Missing ones are left out. */
  editable(paths: readonly string[], ref: string): Promise<ReadonlyMap<string, EditableFile>>;
  /** When a file was last changed; undefined if no commit shows it. */
  changed(path: string, ref: string): Promise<Instant | undefined>;
  /**
   * Makes the commit, and the branch if there is none. An existing file keeps its mode. Returns the commit's SHA-1; undefined
   * if the branch's head may not be replaced, because it is someone's work.
   */
  push(edit: Edit): Promise<string | undefined>;
  deleteBranch(branch: string): Promise<void>;
  pull(number: number): Promise<Pull>;
  /** The newest pull request of a branch, open or not; undefined if there is none. */
  pullOf(branch: string): Promise<Pull | undefined>;
  /** Open pull requests, last updated first; at most 100. */
  openPulls(most: number): Promise<Pull[]>;
  /** Never retried automatically. */
  createPull(pull: { title: string; body: string; branch: string; base: string }, sending?: Sending): Promise<Pull>;
  updatePull(
    number: number,
    change: { title?: string; body?: string; state?: "open" | "closed"; base?: string },
  ): Promise<void>;
  /** Writes a commit's check run once, and once more for each request, or completes it. At most 30 per subject. */
  check(run: CheckRun): Promise<void>;
  /** Whether a commit has a check run about a subject, complete or begun. Default: its config. */
  isChecked(commit: string, about?: CheckSubject): Promise<boolean>;
  /** Creates or updates the commit's check run about Recheck itself. */
  announce(run: Omit<CheckRun, "about" | "annotations" | "again">): Promise<void>;
  /** Adds a reaction to a comment. GitHub accepts the same one only once. */
  react(comment: number, content: "+1" | "eyes" | "confused"): Promise<void>;
  permission(login: string): Promise<Permission>;
  /** Comments on all issues since then, oldest first. */
  commentsSince(since: Instant): Promise<IssueComment[]>;
  /** Comments on one issue, oldest first, at most the first 5,000. */
  commentsIn(issue: number): Promise<IssueComment[]>;
}

export interface Installation {
  readonly id: number;
  readonly suspended: boolean;
}

/** The calls that the App makes as itself. @throws GitHubProblem */
export interface Installations {
  installations(): Promise<Installation[]>;
  repositories(installation: number): Promise<Pick<RepositoryFacts, "id" | "name" | "archived" | "fork" | "public">[]>;
}
