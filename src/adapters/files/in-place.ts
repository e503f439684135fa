import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Puts in a file's place what `write` writes beside it: whoever reads meanwhile gets the old file or the new one, and a
 * write that fails leaves nothing behind. @throws whatever `write` and the file system do
 */
export async function inPlaceOf(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `.recheck-${randomBytes(6).toString("hex")}.tmp`);
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
