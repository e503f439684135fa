import { readConfig } from "../../../config/files.ts";
import { code, percentEncode } from "../../../model/markdown.ts";
import {
  problemIn,
  type RepositoryChange,
  type RepositoryConfig,
  type RepositoryFacts,
  refusals,
} from "../../../model/ports/index.ts";
import type { Problem } from "../../../model/problem.ts";
import { day } from "../../../model/time.ts";
import { groupDigits } from "../../../model/words.ts";
import { handleConfig } from "../../../recheck/answer/audit.ts";
import type { StoreUpdate } from "../../../recheck/answer/repository.ts";
import { clip, maxBodyCharacters } from "../../../recheck/issue/layout.ts";
import { beginLine, sectionEnd } from "../../../recheck/issue/marker.ts";
import { closeOwnIssue, writeOwnIssue } from "../own-issues/own-issue.ts";
import type { AppRepository } from "../sandbox.ts";
import { endSetUp, optOut, prepareSetUp } from "../set-up/set-up.ts";
import { repositoryStanding } from "../webhooks/lifecycle.ts";
import { problemsPart } from "./effect.ts";
import { parsedOrProblem } from "./trial.ts";

/**
 * Reads the config of the default branch again. A valid config replaces the one in use. A broken one is reported in an
 * issue, and the last valid one stays in use. If config was deleted, watching stops. Returns *another* if the
 * repository was renamed. If another repository has its name now, nothing is read. @throws GitHubProblem
 */
export async function refresh(repository: AppRepository): Promise<"another" | undefined> {
  const { id, name } = repository.state;
  const facts = await repository.github.facts();
  if (facts.id !== id) {
    const gone = { standing: "removed", since: repository.clock.now() } as const;
    await repository.store.commit((tx) => tx.updateRepository(gone));
    return "another";
  }
  await refreshBy(facts, repository);
  return facts.name.toLowerCase() === name.toLowerCase() ? undefined : "another";
}

async function refreshBy(facts: RepositoryFacts, repository: AppRepository): Promise<void> {
  const { github, store, sandbox } = repository;
  const standing = repositoryStanding(facts);
  const state = { ...factsOf(facts, repository), stale: false, empty: undefined };
  const keep = (change: RepositoryChange, more?: StoreUpdate) =>
    store.commit(async (tx) => {
      await more?.(tx);
      await tx.updateRepository({ ...state, ...change });
    });
  if (standing !== "active") return await keep({ standing, since: repository.clock.now() });
  const head = await github.commit(facts.defaultBranch);
  const headConfig = head && (await readConfig(github, head.sha, repository.state.config));
  if (!headConfig) {
    await closeProblem(repository, head?.sha);
    const without = { config: undefined, broken: undefined, problem: undefined, empty: head ? undefined : true };
    if (repository.state.config && head) return await keep({ ...without, setUp: optOut(repository, head.sha) });
    await prepareSetUp({ ...repository, state: { ...repository.state, ...without, ...state } });
    return await keep(without);
  }
  const parsed = parsedOrProblem(await sandbox.parse(headConfig));
  if (!parsed.config) {
    const { says, waits } = await reportProblems(repository, facts, headConfig, parsed.problems);
    return await keep({ broken: headConfig.commit, says, ...(waits && { stale: true }) });
  }
  await closeProblem(repository, headConfig.commit);
  const { config: before } = repository;
  const { setUp } = repository.state;
  const begins = repository.state.config === undefined && setUp !== undefined;
  if (begins) await endSetUp(repository);
  const now = { ...repository, config: parsed.config, state: { ...repository.state, config: headConfig } };
  const pushed = { by: head.by ?? "somebody", at: repository.clock.now() };
  const update = before && (await handleConfig(now, before, pushed));
  const mend = { broken: undefined, problem: undefined, says: undefined };
  await keep({ config: headConfig, ...mend, ...(begins && { setUp: { ...setUp, catchUp: true } }) }, update);
}

function factsOf(
  { defaultBranch, web, organization, hasIssues, public: isPublic }: RepositoryFacts,
  { state, clock }: AppRepository,
): RepositoryChange {
  const before = state.defaultBranch;
  const isRenamed = before !== undefined && before !== defaultBranch;
  return {
    defaultBranch,
    web,
    organization,
    public: isPublic,
    withoutIssues: hasIssues ? undefined : true,
    ...(isRenamed && { branchedFrom: { branch: before, until: clock.now() } }),
  };
}

/** Opens the issue on a broken config, or brings it up to date. `says`: why that is not possible. */
async function reportProblems(
  { state, store, ...repository }: AppRepository,
  facts: RepositoryFacts,
  { commit, folder }: RepositoryConfig,
  problems: readonly Problem[],
): Promise<{ readonly says?: string; readonly waits?: boolean }> {
  const { web, defaultBranch: branch } = facts;
  const issue = { problems, web, branch, commit, folder, inUse: state.config?.commit };
  const body = (marker: string, room?: number) => renderProblemIssue({ ...issue, marker }, room);
  try {
    const wait = await writeOwnIssue({ store, ...repository }, state.problem, { title: cannotRead, body }, (problem) =>
      store.commit((tx) => tx.updateRepository({ problem })),
    );
    return { waits: wait !== undefined };
  } catch (error) {
    return { says: problemIn(error, "disabled", ...refusals).message };
  }
}

async function closeProblem(
  { state: { problem }, github, clock }: AppRepository,
  commit: string | undefined,
): Promise<void> {
  if (problem === undefined || commit === undefined) return;
  const says = `Commit ${short(commit)} fixed it on ${day(clock.now())}: the config is read again.`;
  await closeOwnIssue(problem, says, github);
}

export interface ProblemIssue {
  readonly problems: readonly Problem[];
  /** The random word that identifies the issue. */
  readonly marker: string;
  /** The repository's web address: `https://github.com/owner/name`. */
  readonly web: string;
  readonly branch: string;
  readonly commit: string;
  /** The folder of config in the repository, "" for the root. */
  readonly folder: string;
  /** The commit whose config is still in use; without one, nothing is watched. */
  readonly inUse?: string | undefined;
}

export function isProblemSection(section: string): boolean {
  return section.includes(`\n**${cannotRead} on `);
}

const cannotRead = "Recheck cannot read its config";

/** Renders our section of the issue on a config of the default branch that cannot be read. Pure. */
export function renderProblemIssue(issue: ProblemIssue, room = maxBodyCharacters): string {
  const { problems, branch, commit, folder, web, inUse } = issue;
  const meanwhile = inUse === undefined ? "Nothing is watched" : `The config of commit ${short(inUse)} stays in use`;
  const count = problems.length === 1 ? "a problem" : `${groupDigits(problems.length)} problems`;
  const head = [
    beginLine(issue.marker, "", [], []),
    `**${cannotRead} on ${code(branch, 100)}: commit ${short(commit)} has ${count}.** ${meanwhile} until it is fixed.`,
  ];
  const encode = (name: string) => percentEncode(encodeURIComponent(name.toWellFormed()), /[()'!*]/g);
  const address = (path: string, line: number) =>
    `${web}/blob/${encodeURIComponent(commit)}/${path.split("/").map(encode).join("/")}#L${line}`;
  const tail = [
    "This issue closes by itself when a commit fixes them. `recheck validate` prints the same before you push.",
    sectionEnd,
  ];
  return clip(head.join("\n\n"), [problemsPart(problems, folder, address)], tail.join("\n\n"), room);
}

function short(commit: string): string {
  return code(commit.slice(0, 7));
}
