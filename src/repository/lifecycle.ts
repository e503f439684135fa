import type { Instant } from "../model.ts";
import type { RepositoryState } from "../ports.ts";
import type { Named, Told } from "./news.ts";

/** For so long what is remembered of a repository outlives its removal: who installs again goes on where it was. */
export const keptAfterRemoval = 30 * 86_400_000;

/** A repository that is new to us. */
export function newcomer({ id, name }: Named, installation: number, at: Instant): RepositoryState {
  return { id, name, installation, standing: "active", since: at, stale: true };
}

/**
 * News × the repositories that are known → those that change, as they stand from then on. News of a repository that is
 * not known yet make it known. Pure.
 */
export function afterNews(told: Told, known: readonly RepositoryState[], at: Instant): RepositoryState[] {
  const { installation, repository, news } = told;
  const ours = known.filter((one) => one.installation === installation);
  switch (news.kind) {
    case "installed":
      return news.repositories.map((one) => back(one, known, installation, at));
    case "removed":
      return ours
        .filter(({ id }) => news.repositories.some((one) => one.id === id))
        .map((one) => to("removed", one, at));
    case "uninstalled":
      return ours.map((one) => to("removed", one, at));
    case "suspended":
      return ours.filter(({ standing }) => standing !== "removed").map((one) => to("suspended", one, at));
    case "resumed":
      return ours.filter(({ standing }) => standing !== "removed").map((one) => awake(one, at));
    default:
      return repository ? ofOne(repository, told, known, at) : [];
  }
}

function ofOne(
  repository: Named,
  { installation, news }: Told,
  known: readonly RepositoryState[],
  at: Instant,
): RepositoryState[] {
  const state = known.find(({ id }) => id === repository.id);
  if (news.kind === "repository-deleted") return state ? [to("removed", state, at)] : [];
  const there = state && state.standing !== "removed" ? state : back(repository, known, installation, at);
  const named = { ...there, name: repository.name, installation };
  if (news.kind === "repository") {
    return [news.archived ? to("archived", named, at) : { ...awake(named, at), stale: true }];
  }
  const moved = state?.name !== named.name || state.installation !== installation || state !== there;
  return moved ? [named] : [];
}

/** Known from before, or new. */
function back(
  repository: Named,
  known: readonly RepositoryState[],
  installation: number,
  at: Instant,
): RepositoryState {
  const state = known.find(({ id }) => id === repository.id);
  if (!state) return newcomer(repository, installation, at);
  return { ...awake(state, at), name: repository.name, installation };
}

/** Active, and its config to be read again. */
function awake(state: RepositoryState, at: Instant): RepositoryState {
  const { says: _, ...rest } = to("active", state, at);
  return { ...rest, stale: true };
}

function to(standing: RepositoryState["standing"], state: RepositoryState, at: Instant): RepositoryState {
  return state.standing === standing ? state : { ...state, standing, since: at };
}

/** A repository in GitHub's own list of what the App may reach. */
export interface Reached extends Named {
  readonly installation: number;
  readonly suspended: boolean;
  readonly archived: boolean;
  readonly fork: boolean;
}

export function standingOf({ archived, fork }: { archived: boolean; fork: boolean }): RepositoryState["standing"] {
  if (fork) return "fork";
  return archived ? "archived" : "active";
}

/** What the App may reach by GitHub's own list × what is known → what changes: webhooks get lost. Pure. */
export function afterSweep(
  reached: readonly Reached[],
  known: readonly RepositoryState[],
  at: Instant,
): RepositoryState[] {
  const here = new Map(reached.map((one) => [one.id, one]));
  const lost = known.filter(({ id, standing }) => standing !== "removed" && !here.has(id));
  const found = reached.map((one) => {
    const { installation, suspended } = one;
    const state = known.find(({ id }) => id === one.id);
    const standing = suspended ? "suspended" : standingOf(one);
    if (state?.standing === standing && state.name === one.name && state.installation === installation) return state;
    return { ...to(standing, back(one, known, installation, at), at) };
  });
  return [...lost.map((one) => to("removed", one, at)), ...found.filter((one) => !known.includes(one))];
}

/** Repositories whose time is over. */
export function expired(known: readonly RepositoryState[], at: Instant): RepositoryState[] {
  return known.filter(({ standing, since }) => standing === "removed" && since + keptAfterRemoval <= at);
}
