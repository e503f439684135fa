import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { watch } from "../../adapters/store/samples.ts";
import { program } from "../../support/program.ts";

const folder = mkdtempSync(join(tmpdir(), "recheck-start-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the names of all files that Node loads into one. */
const noting = `import { registerHooks } from "node:module";
  import { appendFileSync } from "node:fs";
  registerHooks({ load: (name, context, next) => (appendFileSync(process.env.LOADED, name + "\\n"), next(name, context)) });`;

/** The files that a command loads. */
function loadedBy(...args: readonly string[]): string[] {
  const { main } = program();
  const loaded = join(folder, "loaded");
  rmSync(loaded, { force: true });
  const env = {
    ...{ PATH: process.env.PATH, XDG_CACHE_HOME: join(folder, "cache"), RECHECK_DATA: folder, LOADED: loaded },
  };
  const hook = `data:text/javascript,${encodeURIComponent(noting)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", hook, main, ...args], { cwd: folder, env });
  expect([status, String(stderr)]).toEqual([0, ""]);
  const names = readFileSync(loaded, "utf8").split("\n");
  return names.filter((name) => name.startsWith("file:")).map((name) => fileURLToPath(name));
}

/** Names in the parts that read YAML, read pages, and make requests. */
const parts = /YAMLParseError|DomHandler|EnvHttpProxyAgent/g;

function partsLoadedBy(command: string): string[] {
  const names = loadedBy(command).flatMap((file) => readFileSync(file, "utf8").match(parts) ?? []);
  return [...new Set(names)].sort();
}

test("a config that was read before is checked and shown without modules for YAML, pages or requests", async () => {
  const sources = `report: { title: R, audited: 2026-05-16 }
products: { p: { name: P } }
sources: { a: { feed: "https://a.example/feed.xml", announces: p } }
`;
  writeFileSync(join(folder, "sources.yaml"), sources);
  const database = await openStore(join(folder, "recheck.sqlite"));
  await database.repository("local").touch([watch("a")]);
  await database.close();
  expect(partsLoadedBy("validate")).toContain("YAMLParseError");
  expect(partsLoadedBy("validate")).toEqual([]);
  expect(partsLoadedBy("status")).toContain("YAMLParseError");
  expect(partsLoadedBy("status")).toEqual([]);
});
