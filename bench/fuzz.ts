import { Command } from "commander";
import { random } from "./fuzz/mutate.ts";
import { targets } from "./fuzz/targets.ts";

/**
 * `npm run fuzz [-- --inputs N --seed S --only WORDS]`: altered configs, comments, issues, texts and webhooks, for the
 * parsers and renderers that strangers reach. `--inputs`: for all of them together. Exits with 1 if one throws, takes
 * more than a second, or lets text become markup. Then it prints the seed that repeats it: `--inputs 1 --seed S --only
 * NAME`.
 */
const { inputs, seed, only } = new Command()
  .option("--inputs <number>", "over all targets", Number, 100_000)
  .option("--seed <number>", "of the first input", Number, 1)
  .option("--only <words>", "in the name of a target", "")
  .parse()
  .opts<{ inputs: number; seed: number; only: string }>();

const mostMilliseconds = 1_000;
const maxTold = 10;

const say = (line: string) => process.stdout.write(`${line}\n`);
const chosen = targets.filter(({ name }) => name.includes(only));
const shares = chosen.reduce((sum, { share }) => sum + share, 0);
let wrong = 0;

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

for (const target of chosen) {
  const count = Math.ceil((inputs * target.share) / shares);
  const begun = processorTime();
  let slowest = { time: 0, seed };
  let failed = 0;
  for (let one = seed; one < seed + count; one++) {
    const since = processorTime();
    try {
      target.try(random(one));
    } catch (error) {
      if (++failed <= maxTold) say(`${target.name}, seed ${one}: ${String(error).slice(0, 1_500)}`);
    }
    const time = processorTime() - since;
    if (time > slowest.time) slowest = { time, seed: one };
  }
  const isSlow = slowest.time > mostMilliseconds;
  wrong += failed + (isSlow ? 1 : 0);
  say(
    `${target.name}: ${count} inputs, ${failed} wrong; ${Math.round((processorTime() - begun) / 1_000)} s, the slowest ${slowest.time.toFixed(0)} ms (seed ${slowest.seed})${isSlow ? ": too slow" : ""}`,
  );
}
say(wrong === 0 ? `None of ${inputs} wrong.` : `${wrong} wrong.`);
process.exitCode = wrong === 0 ? 0 : 1;
