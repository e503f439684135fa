import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "recheck-read-only-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Nobody: root may write wherever the disk itself lets anybody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test("a folder that takes nothing is told as that, and not as one that is missing", () => {
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
