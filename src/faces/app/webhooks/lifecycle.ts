import type { RepositoryState } from "../../../model/ports/index.ts";
import type { Duration, Instant } from "../../../model/time.ts";
import type { NamedRepository, WebhookNews } from "./news.ts";

export function newRepository(named: NamedRepository, installation: number, at: Instant): RepositoryState {
  const { id, name } = named;
  return { id, name, installation, standing: "active", since: at, stale: true, ...visibilityOf(named) };
}

function visibilityOf({ public: isPublic }: NamedRepository): Pick<RepositoryState, "public"> {
  return isPublic === undefined ? {} : { public: isPublic };
}

/** If a rule concerns one repository only. */
function isAbout(only: number | undefined): (one: { readonly id: number }) => boolean {
  return ({ id }) => only === undefined || id === only;
}

/**
 * Derives the changed repositories from news and the known ones. News of an unknown repository adds it. `only`: no
 * other repository is passed. Pure.
 */
export function afterNews(
  webhook: WebhookNews,
  repositoryStates: readonly RepositoryState[],
  at: Instant,
  only?: number,
): RepositoryState[] {
  const { installation, repository, news } = webhook;
  const ours = repositoryStates.filter((one) => one.installation === installation);
  switch (news.kind) {
    case "installed": {
      const states = byId(repositoryStates);
      const named = news.repositories.filter(isAbout(only));
      return named.map((one) => back(one, states.get(one.id), installation, at));
    }
    case "removed": {
      const removed = new Set(news.repositories.filter(isAbout(only)).map(({ id }) => id));
      return ours.filter(({ id }) => removed.has(id)).map((one) => withStanding("removed", one, at));
    }
    case "uninstalled":
      return ours.map((one) => withStanding("removed", one, at));
    case "suspended":
      return ours.filter(({ standing }) => standing !== "removed").map((one) => withStanding("suspended", one, at));
    case "resumed":
      return ours
        .filter(({ standing }) => standing !== "removed")
        .map((one) => withPermissions(activeAgain(one, at), at));
    default:
      return repository ? ofOne(repository, webhook, repositoryStates, at) : [];
  }
}

function byId(known: readonly RepositoryState[]): ReadonlyMap<number, RepositoryState> {
  return new Map(known.map((state) => [state.id, state]));
}

function ofOne(
  repository: NamedRepository,
  { installation, news, described }: WebhookNews,
  repositoryStates: readonly RepositoryState[],
  at: Instant,
): RepositoryState[] {
  const state = repositoryStates.find(({ id }) => id === repository.id);
  // While the news waited, newer news about the owner or the name arrived, or the repository was removed.
  const describedAt = Math.min(at, described ?? at);
  if (state?.standing === "removed" && at < state.since) return [];
  if (state && describedAt < (state.described ?? 0))
    return news.kind === "repository" ? [{ ...state, stale: true }] : [];
  if (news.kind === "repository-deleted") return state ? [withStanding("removed", state, at)] : [];
  const current = state && state.standing !== "removed" ? state : back(repository, state, installation, at);
  const description = describedBy({ ...repository, installation, described: describedAt }, current, at);
  if (repository.fork)
    return current.standing === "fork" && isSame(description, state) ? [] : [withStanding("fork", description, at)];
  if (news.kind === "repository") {
    return [
      news.archived ? withStanding("archived", description, at) : { ...activeAgain(description, at), stale: true },
    ];
  }
  return isSame(description, state) && state === current ? [] : [description];
}

function isSame(
  { name, installation, public: isPublic }: RepositoryState,
  known: RepositoryState | undefined,
): boolean {
  return known?.name === name && known.installation === installation && known.public === isPublic;
}

function back(
  repository: NamedRepository,
  state: RepositoryState | undefined,
  installation: number,
  at: Instant,
): RepositoryState {
  if (!state) return newRepository(repository, installation, at);
  return describedBy({ ...repository, installation, described: at }, activeAgain(state, at), at);
}

function describedBy(
  { described, ...named }: NamedRepository & { readonly installation: number; readonly described: Instant },
  state: RepositoryState,
  at: Instant,
): RepositoryState {
  const { installation } = named;
  const next = { ...withName(named.name, state, at), installation, ...visibilityOf(named) };
  return isSame(next, state) ? state : { ...next, described };
}

function withName(name: string, state: RepositoryState, at: Instant): RepositoryState {
  return state.name === name ? state : { ...state, name, formerly: { name: state.name, until: at } };
}

/** Requests another try of refused permissions. */
function withPermissions({ refused: _, setUp, ...state }: RepositoryState, at: Instant): RepositoryState {
  if (!setUp) return { ...state, granted: at };
  const { written: __, ...proposal } = setUp;
  return { ...state, granted: at, setUp: setUp.found ? proposal : { ...proposal, searched: "" } };
}

function activeAgain(state: RepositoryState, at: Instant): RepositoryState {
  const { says: _, ...rest } = withStanding("active", state, at);
  return { ...rest, stale: true };
}

function withStanding(standing: RepositoryState["standing"], state: RepositoryState, at: Instant): RepositoryState {
  if (state.standing === standing) return state;
  const rested = { standing: state.standing, from: state.since, to: at };
  const rests = state.standing !== "active" && state.standing !== "fork";
  return { ...state, standing, since: at, ...(standing === "active" && rests && { rested }) };
}

/** A repository in GitHub's list of those that the App can access. */
interface Reached extends NamedRepository {
  readonly archived: boolean;
  readonly fork: boolean;
}

export interface InstallationListing {
  readonly id: number;
  /** Repositories of the installation. Unknown while it is suspended, and if GitHub does not answer. */
  readonly says: readonly Reached[] | "suspended" | "nothing";
}

/** The state of a repository that the App can access: whether it is checked. */
export function repositoryStanding({
  archived,
  fork,
}: Pick<Reached, "archived" | "fork">): RepositoryState["standing"] {
  if (fork) return "fork";
  return archived ? "archived" : "active";
}

/**
 * Derives changes from GitHub's list of the App's repositories and the known ones, because webhooks get lost. If a
 * repository changed after the list was `begun`, its webhook is newer. `only`: as for news. Pure.
 */
export function afterSweep(
  listed: readonly InstallationListing[],
  storedStates: readonly RepositoryState[],
  { begun, now, only }: { readonly begun: Instant; readonly now: Instant; readonly only?: number | undefined },
): RepositoryState[] {
  const listedIds = new Set<number>();
  const changedStates: RepositoryState[] = [];
  const states = byId(storedStates);
  const present = storedStates.filter(({ standing }) => standing !== "removed");
  const byInstallation = Map.groupBy(present, ({ installation }) => installation);
  for (const { id: installation, says } of listed) {
    const ofInstallation = byInstallation.get(installation) ?? [];
    if (says === "nothing") {
      for (const { id } of ofInstallation) listedIds.add(id);
      continue;
    }
    for (const repository of (says === "suspended" ? ofInstallation : says).filter(isAbout(only))) {
      listedIds.add(repository.id);
      const state = states.get(repository.id);
      const standing = "standing" in repository ? ("suspended" as const) : repositoryStanding(repository);
      const isListed =
        state?.standing === standing &&
        isSame({ ...state, name: repository.name, installation, ...visibilityOf(repository) }, state);
      if (state && (state.since > begun || isListed)) continue;
      changedStates.push(withStanding(standing, back(repository, state, installation, now), now));
    }
  }
  const lost = present.filter(({ id, since }) => since <= begun && !listedIds.has(id));
  return [...lost.map((one) => withStanding("removed", one, now)), ...changedStates];
}

/** Whether a repository was removed so long ago that its data is erased. */
export function isExpired({ standing, since }: RepositoryState, at: Instant, keptFor: Duration): boolean {
  return standing === "removed" && since + keptFor <= at;
}
