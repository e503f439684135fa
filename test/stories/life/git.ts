/** Commits and branches in memory, as far as pull requests need them. */

interface Made {
  readonly sha: string;
  readonly parent?: string;
  readonly at: number;
  readonly by: string;
  readonly tree: ReadonlyMap<string, string>;
}

export class Git {
  readonly branches = new Map<string, string>();
  readonly #commits = new Map<string, Made>();
  readonly #now: () => number;

  constructor(files: Readonly<Record<string, string>>, now: () => number) {
    this.#now = now;
    this.#make("main", { by: "author", tree: new Map(Object.entries(files)) });
  }

  /** Makes a commit that no branch has yet. */
  commitOf(files: readonly { path: string; text: string }[], by: string, parent: string): string {
    const tree = new Map([
      ...(this.commit(parent)?.tree ?? []),
      ...files.map(({ path, text }): [string, string] => [path, text]),
    ]);
    return this.#commit({ by, tree, parent });
  }

  #make(branch: string, made: Pick<Made, "by" | "tree" | "parent">): string {
    const sha = this.#commit(made);
    this.branches.set(branch, sha);
    return sha;
  }

  #commit({ by, tree, parent }: Pick<Made, "by" | "tree" | "parent">): string {
    const sha = `c${this.#commits.size}`;
    this.#commits.set(sha, { sha, at: this.#now(), by, tree, ...(parent !== undefined && { parent }) });
    return sha;
  }

  /** By branch or sha. */
  commit(ref: string): Made | undefined {
    return this.#commits.get(this.branches.get(ref) ?? ref);
  }

  push(
    branch: string,
    files: readonly { path: string; text: string }[],
    by: string,
    parent = this.branches.get(branch),
  ): string {
    const before = this.commit(parent ?? "")?.tree ?? new Map();
    const tree = new Map([...before, ...files.map(({ path, text }): [string, string] => [path, text])]);
    return this.#make(branch, { by, tree, ...(parent !== undefined && { parent }) });
  }

  /** Where both come from. */
  fork(base: string, head: string): Made | undefined {
    const known = new Set(this.#line(this.commit(base)).map(({ sha }) => sha));
    return this.#line(this.commit(head)).find(({ sha }) => known.has(sha));
  }

  /** What merging brings to the base; undefined where both changed the same file. */
  changes(base: string, head: string): { path: string; text: string }[] | undefined {
    const ours = this.commit(base);
    const theirs = this.commit(head);
    const fork = this.fork(base, head);
    if (!ours || !theirs || !fork) return undefined;
    const changed = [...theirs.tree].filter(([path, text]) => fork.tree.get(path) !== text);
    if (changed.some(([path]) => ours.tree.get(path) !== fork.tree.get(path))) return undefined;
    return changed.map(([path, text]) => ({ path, text }));
  }

  #line(from: Made | undefined): Made[] {
    const line: Made[] = [];
    for (let at = from; at; at = at.parent === undefined ? undefined : this.#commits.get(at.parent)) line.push(at);
    return line;
  }
}
