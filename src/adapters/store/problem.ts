/**
 * Why a store cannot be opened.
 * `locked`: another process writes it. `missing`: nothing was recorded there yet. `older`: it was written before this
 * program was updated, and a reader may not change it. `newer`: this program is too old for it. `foreign`: it is no
 * database of Recheck.
 */
export type StoreProblemKind = "locked" | "missing" | "older" | "newer" | "foreign";

/** The message is one sentence for people; `cause` is for operators. */
export class StoreProblem extends Error {
  readonly kind: StoreProblemKind;

  constructor(kind: StoreProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreProblem";
    this.kind = kind;
  }
}

/** https://www.sqlite.org/rescode.html */
export const SQLITE_BUSY = 5;
export const SQLITE_NOTADB = 26;

/** SQLite's primary result code of an error that node:sqlite threw. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}
