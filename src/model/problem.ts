/** A mistake in a config file, its place, and a suggestion. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The nearest right word. */
  readonly suggestion?: string;
}

/**
 * Why a store cannot be used. `locked`: another process writes it. `missing`: nothing was recorded there yet. `exists`: a copy
 * would overwrite a file. `older`: it was written before this program was updated, and a reader may not change it. `newer`:
 * this program is too old for it. `foreign`: it is not a database of Recheck. `damaged`: it is one, but cannot be read. `full`,
 * `read-only`: the disk accepts no writes. `unusable`: there is no folder, file or database to open. `unreachable`: a database
 * server does not respond, or ended the connection. `refused`: it denies access. `busy`: it has no free connection or memory,
 * or stopped a slow statement. `conflict`: another transaction was in the way, and this one is completely undone.
 */
export type StoreProblemKind =
  | "locked"
  | "missing"
  | "exists"
  | "older"
  | "newer"
  | "foreign"
  | "damaged"
  | "full"
  | "read-only"
  | "unusable"
  | "unreachable"
  | "refused"
  | "busy"
  | "conflict";

/** The message is one sentence for people; `cause` is for operators. */
export class StoreProblem extends Error {
  readonly kind: StoreProblemKind;

  constructor(kind: StoreProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreProblem";
    this.kind = kind;
  }
}
