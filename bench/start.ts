import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/adapters/store/open.ts";
import { aDay } from "../src/model/time.ts";
import { currentWatch } from "../src/watch/watch.ts";
import { loadConfig } from "../src/wire/config.ts";
import { storeFile } from "../src/wire/stores.ts";
import { run } from "./process.ts";

/** Measures the start of commands that request nothing, beside a Node that does nothing. */

const rounds = 9;

/** Milliseconds of the processor, the median of each. */
interface Start {
  readonly name: string;
  readonly ours: number;
  readonly theirs: number;
}

/** `program`: the words before `status` and so on. */
export async function starts(program: readonly string[]): Promise<Start[]> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-start-"));
  try {
    await prepare(folder);
    const environment = { RECHECK_DATA: folder, RECHECK_ARCHIVE: "none" };
    const within = ["--config", folder];
    const commands: Record<string, readonly string[]> = {
      status: ["status", ...within],
      validate: ["validate", ...within],
      "scan, nothing due": ["scan", ...within],
    };
    const found: Start[] = [];
    for (const name in commands) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        theirs.push((await run([process.execPath, "-e", "0"])).cpu * 1_000);
        ours.push((await run([...program, ...(commands[name] ?? [])], environment)).cpu * 1_000);
      }
      found.push({ name, ours: median(ours), theirs: median(theirs) });
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The config of this repository, and a store in which nothing of it is due. */
async function prepare(folder: string): Promise<void> {
  const root = join(import.meta.dirname, "..");
  copyFileSync(join(root, "sources.yaml"), join(folder, "sources.yaml"));
  cpSync(join(root, "triggers"), join(folder, "triggers"), { recursive: true });
  const config = await loadConfig(folder);
  const database = await openStore(storeFile(folder));
  const now = Date.now();
  const watches = [...config.sources.values()].map((source) => ({
    ...currentWatch(undefined, source, now),
    ...{ lastCheck: now, lastSeen: now, firstSeen: now, next: now + aDay },
  }));
  await database.repository("local").touch(watches);
  await database.close();
}
