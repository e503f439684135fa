import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Command } from "commander";
import { type Asked, inputsOf, type Measured, mostGenerated } from "./hostile/child.ts";
import type { Hostile } from "./hostile/input.ts";

/**
 * `npm run fuzz:readers [-- --seconds N --seed S --size BYTES]`: answers that are made to be slow or large, read, compared
 * and proved in a process each that has 256 MB. First those made by hand, then as many generated ones as there is time
 * for, each at three sizes. Ends with 1 where one takes more than a second of processor time, more than 256 MB, grows
 * faster than its size, or throws.
 */
const { seconds, seed, size } = new Command()
  .option("--seconds <number>", "time for generated inputs and hand-made ones together", Number, 60)
  .option("--seed <number>", "of the generated inputs", Number, 1)
  .option("--size <characters>", "of each hand-made input", Number, 50_000)
  .parse()
  .opts<{ seconds: number; seed: number; size: number }>();

const mostMilliseconds = 1_000;
const mostMegabytes = 256;
/** An input is given up at this; without an end it would be waited for for ever. */
const patience = 60_000;

interface Result {
  readonly input: Hostile;
  readonly milliseconds: number;
  readonly memory: number;
  readonly wrong?: string;
}

class Worker {
  private child: ChildProcess | undefined;

  /** Undefined where the process died of it, or did not end. */
  async measure(asked: Asked): Promise<Measured | undefined> {
    this.child ??= fork(new URL("hostile/child.ts", import.meta.url), {
      execArgv: ["--expose-gc", `--max-old-space-size=${mostMegabytes}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const { child } = this;
    const end = new AbortController();
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const told = once(child, "message", { signal: end.signal }).then(([measured]: Measured[]) => measured);
    const died = once(child, "exit", { signal: end.signal }).then(() => {
      this.child = undefined;
      return undefined;
    });
    child.send(asked);
    const measured = await Promise.race([told, died]);
    clearTimeout(timer);
    end.abort();
    await Promise.allSettled([told, died]);
    return measured;
  }

  close(): void {
    this.child?.kill();
  }
}

const total = ({ stages }: Measured) => Object.values(stages).reduce((sum, time) => sum + time, 0);

async function tried(worker: Worker, input: Hostile, index: number, sizes: readonly number[]): Promise<Result> {
  const times: number[] = [];
  let memory = 0;
  for (const one of sizes) {
    const measured = await worker.measure({ seed, index, size: one });
    if (!measured) return { input, milliseconds: Infinity, memory: Infinity, wrong: "died, or did not end" };
    times.push(total(measured));
    memory = Math.max(memory, measured.memory);
    if (measured.said.startsWith("THROWN"))
      return { input, milliseconds: total(measured), memory, wrong: measured.said };
  }
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const growth = (sizes.at(-1) ?? 1) / (sizes[0] ?? 1);
  const wrong =
    last > mostMilliseconds
      ? "slow"
      : memory > mostMegabytes
        ? "large"
        : last > 200 && last > first * growth * 2
          ? "grows faster than its size"
          : undefined;
  return { input, milliseconds: last, memory, ...(wrong && { wrong }) };
}

const all = inputsOf(seed, mostGenerated);
const byHand = all.length - mostGenerated;
const results: Result[] = [];
const begun = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: 2 }, async () => {
    const worker = new Worker();
    while (next < all.length && performance.now() - begun < seconds * 1_000) {
      const index = next++;
      const input = all[index];
      const sizes = index < byHand ? [size / 4, size] : [8_000, 16_000, 32_000];
      if (input) results.push(await tried(worker, input, index, sizes));
    }
    worker.close();
  }),
);

const say = (line: string) => process.stdout.write(`${line}\n`);
const line = ({ input, milliseconds, memory, wrong = "" }: Result) =>
  `${milliseconds.toFixed(0).padStart(7)} ms ${memory.toFixed(0).padStart(5)} MB  ${input.kind}, ${input.about}: ${input.name} ${wrong}`;
const worst = (by: (result: Result) => number) => results.toSorted((a, b) => by(b) - by(a)).slice(0, 10);
const sorted = results.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
const wrong = results.filter((result) => result.wrong !== undefined);
say(
  `${results.length} inputs, ${Math.min(results.length, byHand)} made by hand, seed ${seed}; median ${sorted[sorted.length >> 1]?.toFixed(0)} ms`,
);
say(`${sorted.filter((time) => time < 100).length} took less than 100 ms of processor time`);
say("By processor time:");
for (const result of worst(({ milliseconds }) => milliseconds)) say(line(result));
say("By memory:");
for (const result of worst(({ memory }) => memory)) say(line(result));
say(wrong.length === 0 ? "None beyond the bounds." : `${wrong.length} beyond the bounds:`);
for (const result of wrong) say(line(result));
process.exitCode = wrong.length === 0 ? 0 : 1;
