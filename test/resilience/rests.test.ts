import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { scan } from "../../src/watch/scan.ts";
import { wire } from "../../src/wire/program.ts";
import { closeAll, web } from "../adapters/fetch/local-web.ts";

const folder = mkdtempSync(join(tmpdir(), "recheck-rests-"));

afterEach(async () => {
  await closeAll();
  rmSync(folder, { recursive: true });
});

test("a host that asked to be left alone is, by the next run of the whole program, too", async () => {
  const local = await web((_, answer) => answer.writeHead(429, { "retry-after": "3600" }).end());
  const source = (name: string) => `  ${name}: { json: ${local.origin}/${name}.json, every: 1h }\n`;
  mkdirSync(join(folder, "triggers"));
  writeFileSync(
    join(folder, "sources.yaml"),
    `report: { title: R, audited: 2026-05-16 }\nsources:\n${source("a")}${source("b")}`,
  );
  let now = Date.UTC(2026, 5, 1);
  const run = async () => {
    const program = await wire({
      config: folder,
      data: join(folder, "data"),
      clock: { now: () => now },
      fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
    });
    const { checks } = await scan(program.world, { all: true });
    await program.close();
    return checks.map(({ failure }) => failure?.says);
  };
  const answer = "429, asked to slow down";
  const unasked = `${answer} (not requested: an earlier request to this host failed in the same way)`;
  expect(await run()).toEqual([answer, unasked]);
  now += 1_800_000;
  expect(await run()).toEqual([unasked, unasked]);
  expect(local.seen).toHaveLength(1);
  now += 1_800_000;
  await run();
  expect(local.seen).toHaveLength(2);
});
