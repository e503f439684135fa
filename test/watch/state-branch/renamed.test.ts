import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { openToWrite } from "../../../src/wire/stores.ts";
import { watch } from "../../adapters/store/samples.ts";

const data = mkdtempSync(join(tmpdir(), "recheck-renamed-"));
afterAll(() => rmSync(data, { recursive: true }));

test("a repository's own branch keeps its memory after it was renamed, and nobody else's", async () => {
  const old = await openStore(join(data, "recheck.sqlite"));
  await old.repository("example/old").touch([watch("docs")]);
  await old.close();
  const known = async (given: { repo: string; carried?: boolean }) => {
    const { store, close } = await openToWrite({ data, ...given });
    const found = (await store.watches()).map(({ source }) => source);
    await close();
    return found;
  };
  expect(await known({ repo: "example/new" })).toEqual([]);
  expect(await known({ repo: "example/new", carried: true })).toEqual(["docs"]);
  expect(await known({ repo: "example/new" })).toEqual(["docs"]);
});
