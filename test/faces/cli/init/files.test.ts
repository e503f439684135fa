import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeNew } from "../../../../src/faces/cli/init/files.ts";

test("a disk that becomes full leaves no file of a draft behind, and names the one that had no room", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recheck-full-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Fails after the file was created, as a full disk does.
  async function* full() {
    yield "name: ";
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  }
  const files = [
    { path: "sources.yaml", text: "report: {}\n" },
    { path: "trigger.yaml", text: full() as unknown as string },
  ];
  await expect(writeNew(folder, files)).rejects.toThrow(
    `cannot write ${join(folder, "trigger.yaml")}: its disk is full; nothing was written`,
  );
  expect(await readdir(folder)).toEqual([]);
});
