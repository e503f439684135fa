/** A file of a commit, or one that is yet to be put into a commit. */
export interface BranchFile {
  readonly sha: string;
  /** In bytes. */
  readonly size: number;
}

export interface BranchCommit {
  readonly sha: string;
  readonly files: ReadonlyMap<string, BranchFile>;
}

/**
 * Branches of one repository as places for bytes. Each is moved by compare-and-swap, so that one of two concurrent writers
 * wins. A write whose response was lost is searched for before it is sent again. @throws GitHubProblem
 */
export interface Branches {
  /** The repository's number, which stays the same after renames, and whether it is archived. */
  place(): Promise<{ readonly id: number; readonly archived: boolean }>;
  head(branch: string): Promise<BranchCommit | undefined>;
  bytes(blob: BranchFile): Promise<Uint8Array>;
  put(bytes: Uint8Array): Promise<BranchFile>;
  /** Makes a commit with only these files, on no branch yet. */
  commit(made: {
    readonly message: string;
    readonly files: ReadonlyMap<string, string | BranchFile>;
    readonly parents: readonly string[];
  }): Promise<BranchCommit>;
  /** False if the branch already exists. */
  create(branch: string, commit: string): Promise<boolean>;
  /** False if its head is not an ancestor of the commit, or it was deleted. */
  forward(branch: string, commit: string): Promise<boolean>;
  /** Moves the branch from any head. */
  force(branch: string, commit: string): Promise<void>;
  /** Deletes the branch, if it still exists. */
  remove(branch: string): Promise<void>;
}

/** The store of this machine, as bytes for transport. */
export interface StoreArchive {
  /** Changes if any row does. Undefined if nothing is stored. */
  content(): Promise<string | undefined>;
  /** A copy of the present store. @throws StateProblem *huge* */
  pack(): Promise<Pack>;
  /** Replaces the local store. @throws StateProblem *damaged*, *huge* or *newer* | StoreProblem *locked* */
  unpack(pack: Pack): Promise<void>;
}

export interface Pack {
  /** Compressed by gzip. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the unpacked bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Why the state cannot be taken from its branch, or given back. `newer`: a newer Recheck wrote it. `foreign`: the branch has
 * other content. `damaged`: it is incomplete. `huge`: it is above the limit. `busy`: another run has it. `moved`: someone
 * changed the branch meanwhile. `late`: this run has had it for too long.
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
