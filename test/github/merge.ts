/**
 * Pull requests whose branch moves: `emulate` keeps the head that a pull request began with, merges the whole tree of
 * that, and does not tell of the push. Here its head follows the branch, and merging brings what it changes.
 */

/** Asks `emulate`, below the repository: `/pulls/1`. @throws Error for an answer that is none */
export type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>;

interface Pull {
  readonly number: number;
  readonly state: string;
  readonly head: { readonly ref: string; readonly sha: string };
  readonly base: { readonly ref: string; readonly sha: string };
}

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string | null;
}

/** Merges as GitHub would: what changed since the pull request's base goes on top of its base branch. */
export async function mergePull(ask: Ask, number: number, merge: () => Promise<unknown>): Promise<unknown> {
  const pull = await ask<Pull>("GET", `/pulls/${number}`);
  const head = await headOf(ask, pull.head.ref);
  const base = await headOf(ask, pull.base.ref);
  const changed = await changedFiles(ask, pull.base.sha, head);
  const onto = await treeOf(ask, base);
  const tree = await ask<{ sha: string }>("POST", "/git/trees", { base_tree: onto, tree: changed });
  const message = `Merge pull request #${number}`;
  const made = { message, tree: tree.sha, parents: [base, head] };
  const commit = await ask<{ sha: string }>("POST", "/git/commits", made);
  const merged = await merge();
  await ask("PATCH", `/git/refs/heads/${pull.base.ref}`, { sha: commit.sha, force: true });
  return merged;
}

/** A pull request as it stands: the head of an open one is that of its branch, of one that ended what it was then. */
export async function withHead(ask: Ask, given: unknown, last: ReadonlyMap<number, string>): Promise<unknown> {
  if (Array.isArray(given)) return await Promise.all(given.map((one) => withHead(ask, one, last)));
  const pull = given as Pull;
  const now = () => headOf(ask, pull.head.ref).catch(() => pull.head.sha);
  const sha = pull.state === "open" ? await now() : (last.get(pull.number) ?? pull.head.sha);
  return { ...pull, head: { ...pull.head, sha } };
}

/** The head of a pull request's branch now. */
export async function lastHead(ask: Ask, number: number): Promise<string> {
  const { head } = await ask<Pull>("GET", `/pulls/${number}`);
  return await headOf(ask, head.ref).catch(() => head.sha);
}

async function headOf(ask: Ask, branch: string): Promise<string> {
  return (await ask<{ object: { sha: string } }>("GET", `/git/ref/heads/${branch}`)).object.sha;
}

async function treeOf(ask: Ask, commit: string): Promise<string> {
  return (await ask<{ tree: { sha: string } }>("GET", `/git/commits/${commit}`)).tree.sha;
}

async function changedFiles(ask: Ask, from: string, to: string): Promise<Entry[]> {
  const files = async (commit: string) => {
    const tree = await treeOf(ask, commit);
    const { tree: entries } = await ask<{ tree: Entry[] }>("GET", `/git/trees/${tree}?recursive=1`);
    return new Map(entries.filter(({ type }) => type === "blob").map((entry) => [entry.path, entry]));
  };
  const [before, after] = [await files(from), await files(to)];
  const set = [...after.values()].filter(({ path, sha }) => before.get(path)?.sha !== sha);
  const dropped = [...before.values()].filter(({ path }) => !after.has(path)).map((entry) => ({ ...entry, sha: null }));
  return [...set, ...dropped].map(({ path, mode, type, sha }) => ({ path, mode, type, sha }));
}
