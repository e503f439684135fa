/** https://www.sqlite.org/rescode.html */
export const SQLITE_BUSY = 5;
export const SQLITE_NOTADB = 26;

/** SQLite's primary result code of an error that node:sqlite threw. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}
