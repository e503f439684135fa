import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { makeCertificates } from "./certificates.ts";
import { campaign, takeOverDate } from "./clock.ts";
import { domain } from "./reports.ts";
import { playWorld, type RoundResult, roundsOfWorld } from "./rounds.ts";
import { watch } from "./stillness.ts";
import { openWeb } from "./web.ts";
import { abandon } from "./worlds.ts";

/**
 * `npm run chaos -- --rounds 200 --seed 1`: the real program, as a command and as a server, against a web and a GitHub on
 * this machine. Faults follow a plan from the seed. After each round all rules are checked. `--round K` repeats one, from the
 * beginning of its world; `--leave DIR` keeps the files of a failed one; `--only WORDS` uses only the faults with these words
 * in their names.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    round: { type: "string" },
    program: { type: "string" },
    leave: { type: "string" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const repeated = values.round === undefined ? undefined : Number(values.round);
const rounds = Number(values.rounds);
const say = (line: string) => process.stdout.write(`${line}\n`);

// In memory if possible: a store syncs to the disk at each commit, and thousands of rounds would wait for that.
const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "recheck-chaos-"));
const built = {
  folder: values.program ?? join(scratch, "program"),
  cache: join(scratch, "compiled"),
  inside: join(scratch, "inside.js"),
};
if (values.program === undefined)
  execFileSync(process.execPath, [join(import.meta.dirname, "../../scripts/build.ts"), "--out", built.folder]);
await build({
  entryPoints: [join(import.meta.dirname, "inside.ts")],
  outfile: built.inside,
  bundle: true,
  format: "esm",
  platform: "node",
});
writeFileSync(join(scratch, "package.json"), '{ "type": "module" }\n');
const certificates = makeCertificates(scratch, domain);
takeOverDate(campaign.now);
watch();
const web = await openWeb(certificates);
const means = {
  web,
  built,
  scratch,
  ...(certificates && { authority: certificates.authority }),
  leave: values.leave,
  only: values.only,
};
const results: RoundResult[] = [];
const begun = performance.now();

/** Returns whether more rounds are wanted. */
function told(result: RoundResult): boolean {
  if (repeated !== undefined && result.round !== repeated && result.violations.length === 0) return !isStopped;
  results.push(result);
  if (results.length % 100 === 0) process.stderr.write(`${results.length} rounds\n`);
  if (result.violations.length === 0 || values.json) return !isStopped;
  say(`Round ${result.round} of seed ${seed} fails, with ${result.faults.join(", ")}:`);
  for (const violation of result.violations) say(`  ${violation}`);
  say(
    `  npm run chaos -- --seed ${seed} --round ${result.round}${values.only && ` --only ${JSON.stringify(values.only)}`}`,
  );
  return !isStopped;
}

process.on("exit", () => {
  abandon();
  web.abandon();
  rmSync(scratch, { recursive: true, force: true });
});
// The first signal ends it after the round that is under way, the second at once.
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (isStopped) process.exit(130);
    isStopped = true;
  });

try {
  const first = repeated === undefined ? 0 : repeated - (repeated % roundsOfWorld);
  const end = repeated === undefined ? rounds : repeated + 1;
  for (let at = first; at < end && !isStopped; at += roundsOfWorld)
    await playWorld(seed, at, Math.min(end, at + roundsOfWorld), means, told);
} finally {
  await web.close();
}

const byFault = new Map<string, number>();
for (const { faults } of results) for (const name of faults) byFault.set(name, (byFault.get(name) ?? 0) + 1);
const failed = results.filter(({ violations }) => violations.length > 0);
const seconds = (performance.now() - begun) / 1_000;
if (values.json)
  say(JSON.stringify({ seed, rounds: results.length, seconds, faults: Object.fromEntries(byFault), failed }));
else {
  for (const [name, count] of [...byFault].sort(([a], [b]) => (a < b ? -1 : 1)))
    say(`${String(count).padStart(6)}  ${name}`);
  say(
    `${results.length} rounds in ${seconds.toFixed(0)} s, seed ${seed}: ${byFault.size} kinds of fault, ${failed.length} violations`,
  );
}
process.exitCode = failed.length === 0 ? 0 : 1;
