import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FolderProblem, writeFolder } from "../../../src/adapters/files/folder.ts";

let above: string;
let folder: string;

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), "recheck-folder-"));
  folder = join(above, "site");
});

afterEach(() => rmSync(above, { recursive: true }));

const put = (files: Readonly<Record<string, string>>) => writeFolder(folder, new Map(Object.entries(files)));
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const there = () => globSync("**/*", { cwd: folder }).toSorted();
const foreign = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe("a folder of published files", () => {
  test("holds what it is given, and is touched only if that changed", async () => {
    expect(await put({ "a.html": "1", "in/b.html": "1" })).toEqual({
      written: ["a.html", "in/b.html"],
      unchanged: [],
      removed: [],
    });
    const before = statSync(join(folder, "a.html")).ino;
    expect(await put({ "a.html": "1", "in/b.html": "2" })).toEqual({
      written: ["in/b.html"],
      unchanged: ["a.html"],
      removed: [],
    });
    expect(statSync(join(folder, "a.html")).ino).toBe(before);
    expect([read("a.html"), read("in/b.html")]).toEqual(["1", "2"]);
    expect(there()).toEqual(["a.html", "in", "in/b.html"]);
  });

  test("is not the root of a disk, a home, or the folder of a config", async () => {
    foreign("sources.yaml", "report: {}");
    await expect(put({ "a.html": "1" })).rejects.toThrow(
      `${folder} holds your sources.yaml: name a folder for the pages, such as --out site`,
    );
    const files = new Map([["recheck-a.html", "1"]]);
    await expect(writeFolder("/", files)).rejects.toThrow("/ is the root of a disk");
    await expect(writeFolder(homedir(), files)).rejects.toThrow("is your home");
    expect([there(), existsSync("/recheck-a.html")]).toEqual([["sources.yaml"], false]);
  });

  test("a link in it leads no file out of it", async () => {
    await put({ "a.html": "1", "in/b.html": "1" });
    mkdirSync(join(above, "outside"));
    rmSync(join(folder, "in"), { recursive: true });
    symlinkSync("../outside", join(folder, "in"));
    await expect(put({ "a.html": "1", "in/b.html": "2" })).rejects.toThrow(
      `cannot write ${join(folder, "in")}: it is a link that leads out of its folder`,
    );
    expect(globSync("*", { cwd: join(above, "outside") })).toEqual([]);
  });

  test("is refused if the system takes none", async () => {
    const refused = writeFolder("/proc/recheck/site", new Map([["a.html", "1"]]));
    await expect(refused).rejects.toThrow("cannot write /proc/recheck: there is no such folder");
    await expect(refused).rejects.toThrow(FolderProblem);
  });

  test("loses what was written into it before and is no more, with folders that are empty then", async () => {
    await put({ "a.html": "1", "in/b.html": "1", "in/deep/c.html": "1" });
    foreign("in/theirs.txt", "stays");
    const { removed } = await put({ "a.html": "1" });
    expect(removed).toEqual(["in/b.html", "in/deep/c.html"]);
    expect(there()).toEqual(["a.html", "in", "in/theirs.txt"]);
  });

  test("keeps files of others: if one is in the way, nothing is written", async () => {
    foreign("index.html", "the report itself");
    foreign("style/x.css", "theirs");
    await expect(put({ "a.html": "1", "index.html": "ours" })).rejects.toThrow(
      `${join(folder, "index.html")} was not written by Recheck: choose another --out`,
    );
    expect(there()).toEqual(["index.html", "style", "style/x.css"]);
    expect(read("index.html")).toBe("the report itself");
    await put({ "a.html": "1" });
    await put({});
    expect(there()).toEqual(["index.html", "style", "style/x.css"]);
  });

  test("takes over what is there already as it should be", async () => {
    foreign("a.html", "1");
    expect(await put({ "a.html": "1" })).toEqual({ written: [], unchanged: ["a.html"], removed: [] });
    await put({ "a.html": "2" });
    expect(read("a.html")).toBe("2");
  });

  test.each([
    ["not JSON", "{"],
    ["a path that leads out", '{"files":["../precious.txt"]}'],
    ["an absolute path", '{"files":["/etc/passwd"]}'],
    ["something else", "[]"],
  ])("path traversal: with a list of its files that is %s is left as it is", async (_, text) => {
    writeFileSync(join(above, "precious.txt"), "precious");
    foreign(".recheck-files.json", text);
    await expect(put({ "a.html": "1" })).rejects.toThrow(/was changed since Recheck wrote it/);
    expect(there()).toEqual([]);
    expect(existsSync(join(above, "precious.txt"))).toBe(true);
  });

  test("that cannot be written is reported in a sentence, and goes on once it can", async () => {
    mkdirSync(join(folder, "a.html"), { recursive: true });
    await expect(put({ "a.html": "1", "b.html": "1" })).rejects.toThrow(FolderProblem);
    rmSync(join(folder, "a.html"), { recursive: true });
    foreign("in", "a file");
    await expect(put({ "a.html": "1", "in/b.html": "1" })).rejects.toThrow(
      /^cannot write .*: a file is (?:there already|where a folder should be)$/,
    );
    rmSync(join(folder, "in"));
    expect((await put({ "a.html": "1", "in/b.html": "1" })).written).toContain("in/b.html");
    expect(there().filter((path) => path.endsWith(".tmp"))).toEqual([]);
  });

  test("after a run that was interrupted knows what that run wrote", async () => {
    await put({ "a.html": "1" });
    const list = read(".recheck-files.json");
    await put({ "b.html": "1" });
    // As if the second run had ended before its last step.
    foreign(".recheck-files.json", JSON.stringify({ files: [...JSON.parse(list).files, "b.html"] }));
    expect((await put({ "c.html": "1" })).removed).toEqual(["a.html", "b.html"]);
    expect(there()).toEqual(["c.html"]);
  });
});
