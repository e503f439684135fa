import { open, readFile, realpath, stat } from "node:fs/promises";
import { inPlaceOf } from "./in-place.ts";

/** Why a file was left as it was: one sentence. */
export class NotReplaced extends Error {
  override readonly name = "NotReplaced";
}

/**
 * Puts a text in a file's place, whole or not at all: it is written beside it and renamed. Its mode stays, and a link to
 * it stays a link.
 *
 * @throws NotReplaced where it holds something else than `before` by now, or cannot be written
 */
export async function replaceFile(path: string, before: Uint8Array, after: string): Promise<void> {
  try {
    const real = await realpath(path);
    const { mode } = await stat(real);
    if (!(await readFile(real)).equals(before)) throw new NotReplaced(`${path} was changed meanwhile`);
    await inPlaceOf(real, (beside) => writeThrough(beside, after, mode & 0o7777));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new NotReplaced(`${path} cannot be written (${code})`, { cause: error });
  }
}

/** To the disk itself. */
async function writeThrough(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
