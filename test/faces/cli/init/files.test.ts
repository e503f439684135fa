import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
    { path: "sources.yaml", text: full() as unknown as string },
    { path: "trigger.yaml", text: "name: kites\n" },
  ];
  await expect(writeNew(folder, files)).rejects.toThrow(
    `cannot write ${join(folder, "sources.yaml")}: its disk is full; nothing was written`,
  );
  expect(await readdir(folder)).toEqual([]);
});

test("a draft that a killed run left unfinished is completed, and another file of that name is kept", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recheck-killed-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const read = (path: string) => readFile(join(folder, path), "utf8");
  await writeFile(join(folder, "kites.yaml"), "name: kites\n");
  const files = ["sources", "kites", "owls"].map((name) => ({ path: `${name}.yaml`, text: `name: ${name}\n` }));
  await writeFile(join(folder, "owls.yaml"), "mine\n");
  for (const dryRun of [true, false])
    await expect(writeNew(folder, files, { dryRun })).rejects.toThrow(
      "owls.yaml exists already and is not overwritten",
    );
  expect((await readdir(folder)).sort()).toEqual(["kites.yaml", "owls.yaml"]);
  expect(await read("owls.yaml")).toBe("mine\n");
  await rm(join(folder, "owls.yaml"));
  await writeNew(folder, files);
  for (const { path, text } of files) expect(await read(path)).toBe(text);
});
