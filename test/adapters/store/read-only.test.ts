import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";

const folder = mkdtempSync(join(tmpdir(), "recheck-read-only-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Nobody: root may write wherever the disk itself lets anybody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What opening a store to read it says to somebody who may not, once `first` has run. */
function saidBy(path: string, first = ""): string {
  const script = `import { openStore } from ${JSON.stringify(pathToFileURL(join("src", "adapters", "store", "open.ts")).href)};
    ${first}
    const database = openStore(${JSON.stringify(path)}, { readonly: true });
    database.then(() => console.log("opened"), ({ kind, message }) => console.log(kind + ": " + message));`;
  const args = ["--input-type=module", "--no-warnings", "--eval", script];
  return execFileSync(process.execPath, args, { ...nobody, encoding: "utf8" }).trim();
}

test("a store that this user may not read is reported as that, and not as one that is missing", async () => {
  const within = join(folder, "private");
  const path = join(within, "recheck.sqlite");
  await (await openStore(path)).close();
  chmodSync(folder, 0o755);
  const message = `refused: ${path} cannot be read: this user has no permission`;
  chmodSync(within, 0o000);
  expect(saidBy(path)).toBe(message);
  chmodSync(within, 0o755);
  chmodSync(path, 0o000);
  expect(saidBy(path)).toBe(message);
});

test("a folder that takes nothing is reported as that, and not as one that is missing", () => {
  const path = join(folder, "copy.sqlite");
  chmodSync(folder, 0o555);
  const script = `import { DatabaseSync } from "node:sqlite";
    import { storeProblemOf } from ${JSON.stringify(pathToFileURL(join("src", "adapters", "store", "problem.ts")).href)};
    const path = ${JSON.stringify(path)};
    try {
      new DatabaseSync(path).exec("create table a (b)");
    } catch (error) {
      console.log(storeProblemOf(error, path).message);
    }`;
  const args = ["--input-type=module", "--no-warnings", "--eval", script];
  const said = execFileSync(process.execPath, args, { ...nobody, encoding: "utf8" });
  chmodSync(folder, 0o755);
  expect(said).toBe(`${path} cannot be written: the file, its folder or its disk is read-only\n`);
});

test("a store is read by a Node that reads no database from bytes", async () => {
  const path = join(folder, "older-node", "recheck.sqlite");
  await (await openStore(path)).close();
  chmodSync(folder, 0o755);
  for (const [place, mode] of [
    [join(folder, "older-node"), 0o777],
    [path, 0o666],
  ] as const)
    chmodSync(place, mode);
  const older = `import { DatabaseSync } from "node:sqlite"; delete DatabaseSync.prototype.deserialize;`;
  expect(saidBy(path, older)).toBe("opened");
});
