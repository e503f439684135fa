import { hash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { aDay, type Duration } from "../../model/time.ts";
import type { ConfigFile } from "./config.ts";
import { makeFolder } from "./refused.ts";

/**
 * Cache of parsed configs: parsing takes longer than the rest of a command that only reads the store. `program`: identifies the
 * program, because another version may parse differently. `about`: everything besides the files that the result depends on.
 */
export function readBefore<T>(
  folder: string,
  files: readonly ConfigFile[],
  { program, about }: { readonly program: string; readonly about: readonly unknown[] },
) {
  const place = join(cacheFolder(), "config");
  const path = join(place, `${digestOf([folder]).slice(0, 16)}.v8`);
  const key = digestOf([program, process.version, about, files.map(({ path, text }) => [path, hash("sha256", text)])]);
  return {
    find(): T | undefined {
      try {
        const kept: { key: string; read: T } = deserialize(readFileSync(path));
        return kept.key === key ? kept.read : undefined;
      } catch {
        return undefined;
      }
    },
    keep(read: T): void {
      try {
        makeFolder(place, 0o700);
        const own = `${path}.${process.pid}`;
        writeFileSync(own, serialize({ key, read }), { mode: 0o600 });
        renameSync(own, path);
        forgetOld(place);
      } catch {
        // Without a cache folder, or with a full disk, the config is parsed again next time.
      }
    },
  };
}

/** An older entry usually belongs to a deleted config. If it is still in use, it is parsed once more. */
const keptFor: Duration = 31 * aDay;

function forgetOld(place: string): void {
  for (const name of readdirSync(place).map((one) => join(place, one))) {
    if (Date.now() - statSync(name).mtimeMs > keptFor) rmSync(name, { force: true });
  }
}

/** The user's cache folder: https://specifications.freedesktop.org/basedir-spec/latest/ */
function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "recheck");
}

function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value));
}
