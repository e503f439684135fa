import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const signals = pathToFileURL(join("src", "faces", "cli", "progress.ts")).href;

/** How a process ends that is told to end while it has work to finish. */
function ended(before = ""): { code: number | null; signal: string | null; out: string } {
  const script = `${before}
    const { settleBeforeSignal } = await import(${JSON.stringify(signals)});
    settleBeforeSignal(async () => console.log("finished"));
    process.emit("SIGTERM", "SIGTERM");
    setTimeout(() => console.log("went on"), 2_000);`;
  const args = ["--input-type=module", "--no-warnings", "--eval", script];
  const { status, signal, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { code: status, signal, out: stdout };
}

test("a program ends by the signal, once its work is finished", () => {
  expect(ended()).toEqual({ code: null, signal: "SIGTERM", out: "finished\n" });
});

test("the first process of a container, to which the signal does nothing, ends as well", () => {
  const first = 'Object.defineProperty(process, "pid", { value: 1 }); process.kill = () => true;';
  expect(ended(first)).toEqual({ code: 143, signal: null, out: "finished\n" });
});
