import type { Instant } from "../model.ts";

export interface Issue {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly url: string;
}

export type GitHubProblemKind =
  | "unauthorized" // 401: the token or key is not, or no longer, valid
  | "forbidden" // 403: a permission is missing
  | "slow-down" // 403 or 429: a rate limit, primary or secondary; see `resumeAt`
  | "not-found" // 404: the repository, or the App is not installed there; or one issue
  | "deleted" // 410 for one issue, or it lives in another repository now
  | "disabled" // 410: the repository has issues switched off
  | "invalid" // 422: this text or label is refused; others may pass
  | "unavailable" // 5xx: a write may have happened all the same
  | "lost"; // no answer, or half of one: a write may have happened all the same

/** Why GitHub did not do what was asked: a sentence for people, the cause for operators. */
export class GitHubProblem extends Error {
  readonly kind: GitHubProblemKind;
  /** For *slow-down*: not before. */
  readonly resumeAt?: Instant;

  constructor(kind: GitHubProblemKind, says: string, options: { resumeAt?: Instant; cause?: unknown } = {}) {
    super(says, { cause: options.cause });
    this.name = "GitHubProblem";
    this.kind = kind;
    this.resumeAt = options.resumeAt;
  }

  /** Whether what was to be written may have been written. */
  get uncertain(): boolean {
    return this.kind === "unavailable" || this.kind === "lost";
  }
}

/** The few calls that we make, on one repository. @throws GitHubProblem */
export interface GitHub {
  readonly repo: string;
  /** All open issues that carry the label `recheck`, by one request where there are at most 100. */
  openIssues(): Promise<Issue[]>;
  /** The open or closed issue whose body holds this marker, if there is one. */
  findIssue(marker: string): Promise<Issue | undefined>;
  /** *deleted* where it was moved to another repository. */
  issue(number: number): Promise<Issue>;
  /** Never retried by itself. */
  createIssue(issue: { title: string; body: string; labels: readonly string[] }): Promise<Issue>;
  updateIssue(number: number, change: { title?: string; body?: string; state?: "open" | "closed" }): Promise<void>;
  addLabels(number: number, labels: readonly string[]): Promise<void>;
  ensureLabels(labels: readonly { name: string; color: string; description: string }[]): Promise<void>;
  findComment(number: number, marker: string): Promise<boolean>;
  createComment(number: number, body: string): Promise<void>;
}
