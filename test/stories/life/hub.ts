import { blobOf } from "../../../src/model/digest.ts";
import {
  type AppGitHub,
  type Commit,
  GitHubProblem,
  type Issue,
  type Permission,
  type Pull,
  type Sending,
} from "../../../src/model/ports/index.ts";
import { splitAtSection } from "../../../src/recheck/issue/marker.ts";
import { Git } from "./git.ts";

/** A GitHub in memory, with what people do on it, the webhooks that tell of it, and the ways in which it fails. */

const minute = 60_000;
const repo = "example/report";
export const repository = { id: 7, full_name: repo };
export const installation = 100;

export type Who = "author" | "reviewer" | "reader";
const permissions: Readonly<Record<Who, Permission>> = { author: "admin", reviewer: "triage", reader: "read" };

export interface Webhook {
  readonly id: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface HubIssue extends Omit<Issue, "url"> {
  title: string;
  state: "open" | "closed";
  body: string;
  labels: string[];
  locked: boolean;
}

interface HubComment {
  readonly id: number;
  readonly issue: number;
  readonly body: string;
  readonly by: string;
  readonly bot: boolean;
  readonly at: number;
}

interface HubPull {
  readonly number: number;
  readonly branch: string;
  base: string;
  state: "open" | "closed";
  merged: boolean;
  body: string;
  /** The head of its branch when it ended. */
  last?: string;
  /** People opened it again while another one held the answers. */
  beside?: boolean;
}

/** What befalls a later request. `in`: so many requests, writes, checks one issue, or uses of the store, until then. */
export interface Fault {
  in: number;
  readonly at: "request" | "write" | "check" | "store";
  readonly when: "before" | "after";
  /**
   * *overtaken*: nothing fails, but a person closes the issue just then, or another. *late*: as *lost*, and a write is
   * carried out some requests later.
   */
  readonly how: "unavailable" | "lost" | "late" | "slow-down" | "killed" | "overtaken";
}

/** What GitHub will carry out after so many requests more, or at this time. */
interface Late {
  left: number;
  readonly due: number;
  readonly work: () => unknown;
}

/** The process is no more. */
export class Killed extends Error {}

export class Hub {
  readonly git: Git;
  issues: HubIssue[] = [];
  readonly deleted: HubIssue[] = [];
  readonly comments: HubComment[] = [];
  readonly pulls: HubPull[] = [];
  readonly reactions = new Map<number, Set<string>>();
  /** Webhooks that were not delivered yet, in order. */
  readonly pending: Webhook[] = [];
  /** What was written, in words, and when it was sent. */
  readonly writes: { readonly what: string; readonly at: number }[] = [];
  /** What people wrote into the description of issues. */
  notes: { readonly issue: number; readonly text: string }[] = [];
  /** Issues in which a box was ticked. */
  readonly ticks: number[] = [];
  /**
   * What every body of ours told, as it was written, and how the issue stood. One that arrives late, or whose answer was
   * not heard, counts as written into an open one: whether it was closed before or after, nobody can tell. `stood`: how
   * the issue really stood then.
   */
  readonly bodies: {
    readonly issue: number;
    readonly body: string;
    state: HubIssue["state"];
    readonly stood: HubIssue["state"];
  }[] = [];
  /** Those of the last request. */
  #newest = 0;
  /** How often the report was audited anew. */
  audits = 0;
  /** Writes that changed nothing. */
  readonly needless: string[] = [];
  /** When issues were locked or unlocked, and when that stopped a comment, which is told by its first line. */
  readonly locks: { readonly issue: number; readonly stopped?: string; readonly at: number }[] = [];
  #late: Late[] = [];
  #isArriving = false;
  #sinceLate = Number.POSITIVE_INFINITY;
  faults: Fault[] = [];
  /** The faults that struck. */
  readonly struck: Fault["how"][] = [];
  /** What ends the process. */
  kill: () => void = () => {};
  readonly #now: () => number;
  #webhooks = 0;
  /** Commits that have their check run. */
  readonly #checked = new Set<string>();

  constructor(files: Readonly<Record<string, string>>, now: () => number) {
    this.#now = now;
    this.git = new Git(files, now);
  }

  send(event: string, payload: Record<string, unknown>, sender: string): void {
    this.#webhooks += 1;
    const from = { login: sender, type: sender === "recheck[bot]" ? "Bot" : "User" };
    const common = { installation: { id: installation }, repository, sender: from };
    this.pending.push({ id: `delivery-${this.#webhooks}`, event, payload: { ...common, ...payload } });
  }

  // What people do.

  say(issue: number, body: string, by: string): void {
    const id = this.comments.length + 1;
    this.comments.push({ id, issue, body, by, bot: by === "recheck[bot]", at: this.#now() });
    const user = { login: by, type: by === "recheck[bot]" ? "Bot" : "User" };
    const comment = { id, body, user, created_at: new Date(this.#now()).toISOString() };
    this.send("issue_comment", { action: "created", issue: { number: issue }, comment }, by);
  }

  change(issue: HubIssue, state: "open" | "closed", by: string): void {
    if (issue.state === state) return;
    issue.state = state;
    const action = state === "open" ? "reopened" : "closed";
    this.send("issues", { action, issue: { number: issue.number, body: issue.body } }, by);
  }

  lock(issue: HubIssue, locked: boolean, by: string): void {
    if (issue.locked === locked) return;
    issue.locked = locked;
    this.locks.push({ issue: issue.number, at: this.#now() });
    this.send("issues", { action: locked ? "locked" : "unlocked", issue: { number: issue.number } }, by);
  }

  delete(issue: HubIssue, by: string): void {
    this.issues = this.issues.filter((one) => one !== issue);
    this.deleted.push(issue);
    this.send("issues", { action: "deleted", issue: { number: issue.number } }, by);
  }

  /** Inside what is ours. */
  deface(issue: HubIssue, what: "line" | "section" | "words", by: string): void {
    const { before, section, after } = splitAtSection(issue.body);
    const lines = section.split("\n");
    const left = what === "section" ? "" : what === "line" ? lines.slice(1).join("\n") : `${lines.join(" so\n")}`;
    this.edit(issue, `${before}${left}${after}`, by);
  }

  edit(issue: HubIssue, body: string, by: string): void {
    if (body === issue.body) return;
    const from = issue.body;
    issue.body = body;
    const edited = { number: issue.number, body, updated_at: new Date(this.#now()).toISOString() };
    this.send("issues", { action: "edited", issue: edited, changes: { body: { from } } }, by);
  }

  /** Below what is ours. */
  note(issue: HubIssue, by: string): void {
    const text = `A note, ${this.#webhooks}.`;
    this.notes.push({ issue: issue.number, text });
    this.edit(issue, `${issue.body}\r\n\r\n${text}`, by);
  }

  /** The first box whose id begins so. */
  tick(issue: HubIssue, box: string, by: string): void {
    const empty = `- [ ] <!-- recheck:do ${box}`;
    if (issue.body.includes(empty)) this.ticks.push(issue.number);
    this.edit(issue, issue.body.replace(empty, empty.replace("[ ]", "[x]")), by);
  }

  push(branch: string, files: readonly { path: string; text: string }[], by: string, parent?: string): string {
    const sha = this.git.push(branch, files, by, parent);
    this.#pushed(branch, files, by);
    return sha;
  }

  #pushed(branch: string, files: readonly { path: string }[], by: string): void {
    const commits = [{ modified: files.map(({ path }) => path) }];
    this.send("push", { ref: `refs/heads/${branch}`, after: this.git.branches.get(branch), commits }, by);
  }

  /** Merges, unless there is a conflict; or closes. */
  end(pull: HubPull, merge: boolean, by: string): void {
    if (pull.state === "closed") return;
    const head = this.git.branches.get(pull.branch);
    const files = head && merge ? this.git.changes(pull.base, head) : undefined;
    if (merge && !files) return;
    pull.state = "closed";
    pull.last = head;
    if (files) {
      pull.merged = true;
      this.push(pull.base, files, by);
    }
    this.#tell(pull, "closed", by);
  }

  /** Its branch is restored first, as GitHub wants it. */
  reopen(pull: HubPull, by: string): void {
    if (pull.state === "open" || pull.merged || pull.last === undefined) return;
    const others = this.pulls.filter(({ state, body }) => state === "open" && markIn(body) === markIn(pull.body));
    pull.beside = others.length > 0;
    if (!this.git.branches.has(pull.branch)) this.git.branches.set(pull.branch, pull.last);
    pull.state = "open";
    this.#tell(pull, "reopened", by);
  }

  #tell({ number, branch, merged }: HubPull, action: string, by: string): void {
    const head = { ref: branch, sha: this.git.branches.get(branch) ?? "0", repo: { id: repository.id } };
    this.send("pull_request", { action, pull_request: { number, merged, head } }, by);
  }

  // What the App asks.

  /** One request: it may fail before or after it did what was asked. */
  async #ask<T>(work: () => T, write?: string, check?: number, sending?: Sending): Promise<T> {
    await sending?.();
    this.#arrive();
    this.#newest = this.bodies.length;
    const fault = this.#due({ request: true, write: write !== undefined, check: check !== undefined, store: false });
    const isBefore = fault?.when === "before" || fault?.how === "slow-down" || fault?.how === "late";
    if (fault?.how === "late" && write) {
      const sent = this.#now();
      this.#late.push({
        left: 1 + (this.writes.length % 12),
        due: sent + minute,
        work: () => this.#written(work, write, sent),
      });
    }
    if (isBefore) this.#strike(fault, check);
    const done = write ? this.#written(work, write) : work();
    if (fault && !isBefore) this.#strike(fault);
    return done;
  }

  #written<T>(work: () => T, write: string, at = this.#now()): T {
    const done = work();
    this.writes.push({ what: write, at });
    return done;
  }

  /** What was sent long ago, and not heard of. Nobody hears either that it is refused now. */
  #arrive(): void {
    for (const one of this.#late) one.left -= 1;
    const arrived = this.#late.filter(({ left, due }) => left < 0 || due <= this.#now());
    this.#late = this.#late.filter((one) => !arrived.includes(one));
    this.#sinceLate = arrived.length > 0 ? 0 : this.#sinceLate + 1;
    const known = this.locks.length;
    this.#isArriving = true;
    for (const { work } of arrived) {
      try {
        work();
      } catch (error) {
        if (!(error instanceof GitHubProblem)) throw error;
      }
    }
    this.#isArriving = false;
    this.locks.length = known;
  }

  /** What people wrote while it was on its way is gone: GitHub takes no condition with an edit. */
  #overwrite(issue: number, body: string): void {
    this.notes = this.notes.filter((note) => note.issue !== issue || body.includes(note.text));
  }

  /** What arrived late only just now, or came to nothing by it, nobody could know. */
  #idle(what: string): void {
    if (this.#sinceLate > 9) this.needless.push(what);
  }

  /** The fault that strikes now. */
  #due(isDue: Readonly<Record<Fault["at"], boolean>>): Fault | undefined {
    const due = this.faults.filter(({ at }) => isDue[at]);
    const fault = due.find((one) => one.in <= 0);
    for (const one of due) one.in -= 1;
    this.faults = this.faults.filter((one) => one !== fault);
    return fault;
  }

  /** The store is used: the process may end before or after. */
  async stored<T>(work: () => Promise<T>): Promise<T> {
    const fault = this.#due({ request: false, write: false, check: false, store: true });
    if (fault?.when === "before") this.#strike({ how: "killed" });
    const done = await work();
    if (fault) this.#strike({ how: "killed" });
    return done;
  }

  #strike({ how }: Pick<Fault, "how">, check?: number): void {
    this.struck.push(how);
    if (how !== "overtaken") for (const one of this.bodies.slice(this.#newest)) one.state = "open";
    if (how === "overtaken") {
      const open = this.issues.filter(({ state, labels }) => state === "open" && labels.includes("recheck"));
      const issue = open.find(({ number }) => number === check) ?? open.at(-1);
      if (issue) this.change(issue, "closed", "author");
      return;
    }
    if (how === "killed") {
      this.kill();
      throw new Killed();
    }
    const resumeAt = how === "slow-down" ? { resumeAt: this.#now() + 60_000 } : {};
    throw new GitHubProblem(how === "late" ? "lost" : how, `GitHub: ${how}`, resumeAt);
  }

  #issue(number: number): HubIssue {
    const found = this.issues.find((one) => one.number === number);
    if (found) return found;
    const isDeleted = this.deleted.some((one) => one.number === number);
    throw new GitHubProblem(isDeleted ? "deleted" : "not-found", `no issue ${number}`);
  }

  #pull(number: number): HubPull {
    const found = this.pulls.find((one) => one.number === number);
    if (!found) throw new GitHubProblem("not-found", `no pull request ${number}`);
    return found;
  }

  #shown({ number, state, merged, branch, base, body }: HubPull): Pull {
    const head = this.git.branches.get(branch) ?? "";
    return { number, state, merged, branch, base, head, body };
  }

  #next(): number {
    return this.issues.length + this.deleted.length + this.pulls.length + 1;
  }

  readonly app: AppGitHub & { installationToken(): Promise<string> } = {
    installationToken: async () => "token",
    openIssues: () =>
      this.#ask(() =>
        this.issues.filter(({ state, labels }) => state === "open" && labels.includes("recheck")).map(shown),
      ),
    findIssue: (isIt) => this.#ask(() => this.issues.map(shown).find(isIt)),
    ownIssues: () => this.#ask(() => this.issues.toReversed().map((one) => ({ ...shown(one), opened: 0, closed: 0 }))),
    issue: (number) => this.#ask(() => shown(this.#issue(number)), undefined, number),
    createIssue: ({ title, body, labels }, sending) =>
      this.#ask(
        () => {
          const number = this.#next();
          const issue: HubIssue = { number, state: "open", title, body, labels: [...labels], locked: false };
          this.issues.push(issue);
          this.bodies.push({ issue: issue.number, body, state: "open", stood: "open" });
          return shown(issue);
        },
        `create issue ${title}`,
        undefined,
        sending,
      ),
    updateIssue: (number, { body, state, title }) =>
      this.#ask(() => {
        const issue = this.#issue(number);
        const isSame = (title ?? issue.title) === issue.title && (body ?? issue.body) === issue.body;
        if (isSame && (state ?? issue.state) === issue.state) this.#idle(`update issue ${number}`);
        if (title !== undefined) issue.title = title;
        if (body !== undefined) {
          this.edit(issue, body, "recheck[bot]");
          const stood = state ?? issue.state;
          this.bodies.push({ issue: number, body, state: this.#isArriving ? "open" : stood, stood });
        }
        if (this.#isArriving && body !== undefined) this.#overwrite(number, body);
        if (state) this.change(issue, state, "recheck[bot]");
        return issue.state;
      }, `update issue ${number}`),
    addLabels: (number, labels) =>
      this.#ask(() => {
        const issue = this.#issue(number);
        if (labels.every((label) => issue.labels.includes(label))) this.#idle(`label issue ${number}`);
        issue.labels = [...new Set([...issue.labels, ...labels])];
      }, `label issue ${number}`),
    ensureLabels: () => this.#ask(() => {}),
    findComment: (number, isIt) =>
      this.#ask(() => (this.comments.some(({ issue, body }) => issue === number && isIt(body)) ? "there" : "absent")),
    createComment: (number, body, sending) =>
      this.#ask(
        () => {
          const { locked } = this.#issue(number);
          if (locked) {
            this.locks.push({ issue: number, stopped: body.split("\n", 1)[0], at: this.#now() });
            throw new GitHubProblem("locked", `issue ${number} is locked`);
          }
          this.say(number, body, "recheck[bot]");
        },
        `comment on ${number}`,
        undefined,
        sending,
      ),
    facts: () =>
      this.#ask(() => {
        const { id, full_name: name } = repository;
        const web = "https://github.example/example/report";
        return {
          id,
          name,
          defaultBranch: "main",
          archived: false,
          fork: false,
          hasIssues: true,
          public: true,
          web,
          organization: false,
        };
      }),
    commit: (ref) =>
      this.#ask((): Commit | undefined => {
        const found = this.git.commit(ref);
        return found && { sha: found.sha, by: found.by };
      }),
    mergeBase: (base, head) => this.#ask(() => this.git.fork(base, head)?.sha),
    difference: (base, head) =>
      this.#ask(() => {
        const fork = this.git.fork(base, head);
        if (!fork) return undefined;
        const now = [...(this.git.commit(head)?.tree ?? [])].filter(([path, text]) => fork.tree.get(path) !== text);
        const files = now.map(([path]) => ({ path, ...(fork.tree.has(path) && { from: path }) }));
        return { began: fork.sha, files, whole: true };
      }),
    tree: (ref) =>
      this.#ask(() => {
        const files = [...(this.git.commit(ref)?.tree ?? [])];
        return { files: files.map(([path, text]) => ({ path, sha: blobOf(text), size: text.length })), whole: true };
      }),
    filesIn: (ref, folders) =>
      this.#ask(() =>
        [...(this.git.commit(ref)?.tree ?? [])]
          .filter(([path]) => folders.includes(path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""))
          .map(([path, text]) => ({ path, sha: blobOf(text), size: text.length })),
      ),
    text: (path, ref) => this.#ask(() => this.git.commit(ref)?.tree.get(path)),
    editable: (paths, ref) =>
      this.#ask(() => {
        const tree = this.git.commit(ref)?.tree;
        return new Map(paths.flatMap((path) => (tree?.has(path) ? [[path, { text: tree.get(path) ?? "" }]] : [])));
      }),
    changed: () => this.#ask(() => undefined),
    push: async ({ branch, parent, over = [], files, note }) => {
      const made = await this.#ask(() => this.git.commitOf(files, "recheck[bot]", parent));
      await note?.(made);
      return await this.#ask(() => {
        const there = this.git.branches.get(branch);
        if (there !== undefined && ![parent, ...over].includes(there)) return undefined;
        this.git.branches.set(branch, made);
        this.#pushed(branch, files, "recheck[bot]");
        return made;
      }, `push ${branch}`);
    },
    deleteBranch: (branch) => this.#ask(() => void this.git.branches.delete(branch), `delete ${branch}`),
    pull: (number) => this.#ask(() => this.#shown(this.#pull(number))),
    pullOf: (branch) =>
      this.#ask(() => {
        const found = this.pulls.findLast((one) => one.branch === branch);
        return found && this.#shown(found);
      }),
    openPulls: (most) =>
      this.#ask(() => {
        const open = this.pulls.filter(({ state }) => state === "open").toReversed();
        return open.slice(0, most).map((one) => this.#shown(one));
      }),
    createPull: ({ body, branch, base, title }, sending) =>
      this.#ask(
        () => {
          if (this.pulls.some((one) => one.branch === branch && one.state === "open")) {
            throw new GitHubProblem("invalid", `(422): A pull request already exists for ${branch}.`);
          }
          const pull: HubPull = { number: this.#next(), branch, base, state: "open", merged: false, body };
          this.pulls.push(pull);
          this.#tell(pull, "opened", "recheck[bot]");
          return this.#shown(pull);
        },
        `create pull ${title}`,
        undefined,
        sending,
      ),
    updatePull: (number, { body, state, base }) =>
      this.#ask(() => {
        const pull = this.#pull(number);
        if (base !== undefined) pull.base = base;
        if ((body ?? pull.body) === pull.body && (state ?? pull.state) === pull.state) {
          this.#idle(`update pull ${number}`);
        }
        if (body !== undefined) pull.body = body;
        if (state === "closed") this.end(pull, false, "recheck[bot]");
      }, `update pull ${number}`),
    check: ({ commit, about = "config" }) => {
      const key = `${about} ${commit}`;
      return this.#ask(() => void this.#checked.add(key), this.#checked.has(key) ? undefined : `check ${key}`);
    },
    isChecked: (commit, about = "config") => this.#ask(() => this.#checked.has(`${about} ${commit}`)),
    announce: ({ commit }) => this.#ask(() => {}, `announce at ${commit}`),
    react: (comment, content) =>
      this.#ask(() => {
        const known = this.reactions.get(comment) ?? new Set();
        this.reactions.set(comment, known.add(content));
      }, `react to ${comment}`),
    permission: (login) => this.#ask(() => permissions[login as Who] ?? "none"),
    commentsIn: (issue) => this.#ask(() => this.comments.filter((one) => one.issue === issue)),
    commentsSince: (since) =>
      this.#ask(() =>
        this.comments.filter(({ at, issue }) => at >= since && this.issues.some(({ number }) => number === issue)),
      ),
  };
}

/** Whose answers a pull request holds. */
export function markIn(body: string): string | undefined {
  return body.split("\n", 1)[0];
}

function shown({ labels, ...issue }: HubIssue): Issue {
  return { ...issue, own: true, labels: [...labels], url: `https://github.example/${issue.number}` };
}
