import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { missing, read, wrong } from "./checks.ts";
import { campaign } from "./clock.ts";
import { type Dice, diceOf } from "./dice.ts";
import { type Fault, faults } from "./faults.ts";
import { somebodyActs } from "./people.ts";
import { occasions } from "./reports.ts";
import { ensureServer, type Means as OpenMeans, openWorld, pass, tellNames, type World } from "./worlds.ts";

/** Rounds: some events and some faults at once, then a time without faults, and a check of all rules. */

const minute = 60_000;
const hour = 60 * minute;

/** Rounds of one world. A round is repeated from the first one, which starts with an empty world. */
export const roundsOfWorld = 25;

export interface Means extends OpenMeans {
  /** A folder for the store, the output and the requests to GitHub of a failed round. */
  readonly leave?: string;
  /** In the names of all faults that are chosen. */
  readonly only: string;
}

export interface RoundResult {
  readonly round: number;
  readonly faults: readonly string[];
  readonly violations: readonly string[];
}

/** Days on which worlds begin: common ones, and those before clocks are put forward or back. */
const beginnings = ["2026-06-01T09:00:00Z", "2026-10-24T20:00:00Z", "2027-03-27T20:00:00Z", "2026-12-31T20:00:00Z"];

/** Plays the rounds of one world, from its first to `until`. Ends at the first that fails, or if `told` returns false. */
export async function playWorld(
  seed: number,
  first: number,
  until: number,
  means: Means,
  told: (result: RoundResult) => boolean,
): Promise<void> {
  const dice = diceOf(seed, first, 1);
  campaign.set(Date.parse(dice.one(beginnings)) + dice.below(600) * minute);
  const world = await openWorld(dice.in(10) ? "command" : "server", means);
  try {
    await check(world);
    await check(world);
    for (let round = first; round < until; round++) {
      const result = await play(round, diceOf(seed, round, 2), world, means.only);
      const goesOn = told(result);
      if (result.violations.length === 0 && goesOn) continue;
      if (result.violations.length === 0) return;
      if (means.leave !== undefined) await leave(world, join(means.leave, `${seed}-${round}`));
      return;
    }
  } finally {
    await world.close();
  }
}

async function leave(world: World, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(dirname(world.store)))
    if (name !== "ballast") copyFileSync(join(dirname(world.store), name), join(folder, name));
  const said = [...world.ended.map(({ out, err }) => out + err), world.server?.said() ?? ""];
  writeFileSync(join(folder, "said.txt"), said.join("\n=== ended ===\n"));
  const asked = world.github.requests.map((one) => `${JSON.stringify(one)}\n`);
  writeFileSync(join(folder, "github.jsonl"), asked.join(""));
  writeFileSync(join(folder, "webhooks.jsonl"), world.post.past.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

async function check(world: World): Promise<void> {
  if (world.kind === "server") await ensureServer(world);
  await pass(world, minute);
}

async function play(round: number, dice: Dice, world: World, words: string): Promise<RoundResult> {
  if (world.kind === "server") await ensureServer(world);
  const [chosen, ends] = await begin(dice, world, words);
  const offset = offsetOf(campaign.now());
  const moments = dice.in(3) ? 2 : 1;
  const names = chosen.map(({ name }) => name);
  for (let moment = 0; moment < moments; moment++) {
    const act = dice.in(3) ? await somebodyActs(world, dice) : undefined;
    if (act !== undefined) names.push(act);
    happen(round * 10 + moment * 4, dice, world);
    await pass(world, dice.one([minute, 40 * minute, hour, 3 * hour]));
    if (dice.in(2) && world.kind === "server") await ensureServer(world);
  }
  if (offsetOf(campaign.now()) !== offset) names.push("machine: clocks put forward or back for summer or winter");
  for (const end of ends) await end();
  const left = await settled(world);
  const stored = read(world);
  return { round, faults: names, violations: [...left, ...(await wrong(world, stored))] };
}

async function begin(dice: Dice, world: World, words: string): Promise<[Fault[], (() => Promise<void> | void)[]]> {
  const possible = faults.filter(({ name, only = world.kind }) => only === world.kind && name.includes(words));
  const [chosen, ends]: [Fault[], (() => Promise<void> | void)[]] = [[], []];
  for (let count = 1 + dice.below(3); count > 0; count--) {
    const fault = dice.one(possible.flatMap((one) => Array<Fault>(one.weight ?? 1).fill(one)));
    if (chosen.includes(fault)) continue;
    const end = await fault.begin(world, dice);
    if (!end) continue;
    chosen.push(fault);
    ends.push(end);
  }
  return [chosen, ends];
}

function happen(n: number, dice: Dice, { places }: World): void {
  for (let count = dice.below(3); count > 0; count--) dice.one(places).report.happen(dice.one(occasions), n + count);
}

/** The time by the clocks of the programs. */
const zone = new Intl.DateTimeFormat("en", { timeZone: "Europe/Berlin", timeZoneName: "longOffset" });
const offsetOf = (at: number): string | undefined => /GMT.*$/.exec(zone.format(at))?.[0];

/** Pauses after which all work must be done: two weeks in all. */
const pauses = [
  hour,
  hour,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
  24 * hour,
  72 * hour,
  168 * hour,
];

/** No faults for as long as it takes. Returns the work that is left in the end. */
async function settled(world: World): Promise<string[]> {
  await tellNames(world);
  let left: string[] = [];
  for (const pause of pauses) {
    if (world.kind === "server" && !(await ensureServer(world)))
      return [`the server does not start: ${world.ended.at(-1)?.err}`];
    await pass(world, pause);
    left = await missing(world, read(world));
    if (left.length === 0) return [];
  }
  return left;
}
