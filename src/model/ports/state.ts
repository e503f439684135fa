/** A file of a commit, or one that is yet to be put into a commit. */
export interface BranchFile {
  readonly sha: string;
  /** In bytes. */
  readonly size: number;
}

/** A commit and the files at the root of its tree. */
export interface BranchCommit {
  readonly sha: string;
  readonly files: ReadonlyMap<string, BranchFile>;
}

/**
 * Branches of one repository as places that hold bytes. Each is moved by comparing and swapping, so that of two who
 * try at once one wins. A write whose answer was lost is looked for before it is sent again. @throws GitHubProblem
 */
export interface Branches {
  /** The repository by the number that outlives its names, and whether it can only be read. */
  place(): Promise<{ readonly id: number; readonly archived: boolean }>;
  /** Undefined where there is no such branch. */
  head(branch: string): Promise<BranchCommit | undefined>;
  bytes(blob: BranchFile): Promise<Uint8Array>;
  put(bytes: Uint8Array): Promise<BranchFile>;
  /** Makes a commit of these files alone, which is not on a branch yet. */
  commit(made: {
    readonly message: string;
    readonly files: ReadonlyMap<string, string | BranchFile>;
    readonly parents: readonly string[];
  }): Promise<BranchCommit>;
  /** False where the branch is there already. */
  create(branch: string, commit: string): Promise<boolean>;
  /** False where its head is not an ancestor of the commit, or it was deleted. */
  forward(branch: string, commit: string): Promise<boolean>;
  /** Moves the branch, wherever its head is. */
  force(branch: string, commit: string): Promise<void>;
  /** Deletes the branch; one that is deleted already is fine. */
  remove(branch: string): Promise<void>;
}

/** The store of this machine, as bytes to be carried elsewhere. */
export interface StoreArchive {
  /** Changes when any row does. Undefined where nothing is stored. */
  content(): Promise<string | undefined>;
  /** A copy of the store as it is now. @throws StateProblem *huge* */
  pack(): Promise<Pack>;
  /**
   * Puts it in place of what is stored here.
   * @throws StateProblem *damaged*, *huge* or *newer* | StoreProblem *locked*
   */
  unpack(pack: Pack): Promise<void>;
}

export interface Pack {
  /** Compressed by gzip. */
  readonly bytes: Uint8Array;
  /** SHA-256 of what is in it, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Why what is remembered cannot be taken from its branch, or given back. `newer`: a newer Recheck wrote it. `foreign`:
 * the branch holds something else. `damaged`: it is not whole. `huge`: more than is carried. `busy`: another run has
 * it. `moved`: somebody changed the branch meanwhile. `late`: this run has had it for too long.
 */
export type StateProblemKind = "newer" | "foreign" | "damaged" | "huge" | "busy" | "moved" | "late";

/** The message is one sentence for people, with what they can do; `cause` is for operators. */
export class StateProblem extends Error {
  readonly kind: StateProblemKind;

  constructor(kind: StateProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StateProblem";
    this.kind = kind;
  }
}
